import { constants } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'

/** How a host's network or TLS departs from the defaults. No profile turns verification off. */
export type HostProfile = {
  /** Authorities (PEM) to trust for this host alone, because it sends an incomplete chain. */
  ca?: readonly string[]
  /** The host speaks nothing newer, or asks for the certificate by renegotiation, which TLS 1.3 lacks. */
  onlyTls12?: true
  /** OpenSSL's security level where the host's keys are shorter than level 2 allows. */
  securityLevel?: 0 | 1
  /** The host lacks secure renegotiation, RFC 5746 ("unsafe legacy renegotiation disabled"). */
  legacyRenegotiation?: true
  /** 4: the host's IPv6 address does not answer. */
  family?: 4
}

/** The hosts that need a profile, each with its evidence. Remove one when its host no longer needs it. */
export const hostProfiles: Record<string, HostProfile> = {
  // DH_KEY_TOO_SMALL under level 2 (PyTrustNFe issue 324).
  'nfe.sefaz.go.gov.br': { securityLevel: 1 },
  'homolog.sefaz.go.gov.br': { securityLevel: 1 },
  // They ask for the certificate by renegotiation (IIS), on the paths that need one (open clients, 2026).
  // Node 24.21 renegotiates only in TLS 1.2: it does not offer TLS 1.3's post-handshake authentication
  // ("extension not received").
  'www.nfe.fazenda.gov.br': { onlyTls12: true },
  'hom.nfe.fazenda.gov.br': { onlyTls12: true },
  // Its IPv6 address did not answer, and its IPv4 address did (public clients of the CNPJ data, 2026).
  'arquivos.receitafederal.gov.br': { family: 4 },
}

/** Turns a profile into options of OpenSSL. The least version is TLS 1.2 (MOC 7.0, web services). */
export const tlsOptionsOf = (profile: HostProfile): SecureContextOptions => ({
  minVersion: 'TLSv1.2',
  ...(profile.onlyTls12 && { maxVersion: 'TLSv1.2' }),
  ...(profile.securityLevel !== undefined && { ciphers: `DEFAULT@SECLEVEL=${profile.securityLevel}` }),
  ...(profile.legacyRenegotiation && { secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT }),
})
