import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersEventStream } from '../../src/platform/http/ready.ts'

const streams = [
  'text/event-stream',
  'Text/Event-Stream; charset=utf-8',
  'text/*',
  'text/event-stream, */*',
  'text/event-stream, application/json;q=0.9',
  'application/json;q=0.1 , text/event-stream ; q=0.2',
  '*/*;q=0.1, text/event-stream;q=0.5',
]
const jsons = [
  undefined,
  '',
  '*/*',
  'application/json',
  'application/*, text/*',
  'application/json, text/event-stream',
  'text/event-stream, application/json',
  'text/event-stream;q=0.5, application/json',
  'text/event-stream;q=0.5, */*',
  'text/event-stream;q=0',
  'text/event-stream;q=0, */*',
  'text/event-stream;q=x',
  'text/event-stream;q=2',
  'text/html',
  ';;,,q=1',
]

test('a stream is for who prefers it over JSON, and who has no preference gets JSON', () => {
  for (const accept of streams) assert.equal(prefersEventStream(accept), true, accept)
  for (const accept of jsons) assert.equal(prefersEventStream(accept), false, accept)
})
