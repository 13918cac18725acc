const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as HTML, for content and for quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '')

/** A text as HTML, in which what stands between backticks is code. It takes no other markup. */
export const markup = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
