import { describe, expect, test } from 'vitest'
import { contentOf, placeOfFile } from '../../../engine/files/content.ts'

describe('content is recognised by its beginning', () => {
  test.each([
    ['', 'nothing'],
    ['{"a":1}', 'JSON'],
    ['  {\n  "a" : [', 'JSON'],
    ['[{"a":1}]', 'JSON'],
    ['[["a"]]', 'JSON'],
    ['{}', 'JSON'],
    ['<!DOCTYPE html>', 'HTML'],
    ['\ufeff<!-- a --><HTML lang="en">', 'HTML'],
    ['%PDF-1.4', 'PDF'],
    ['PK\u0003\u0004', 'an archive'],
    ['\u001f\ufffd\u0008', 'an archive'],
    ['id,time', 'text'],
    ['"{""a"":1}",2', 'text'],
    ['[Audit events] of today', 'text'],
    ['{customer};{time}', 'text'],
    ['<1 hour,2', 'text'],
    ['null', 'text'],
  ])('%j is %s', (beginning, content) => {
    expect(contentOf(beginning)).toBe(content)
  })
})

describe('the address of the file', () => {
  const at = (headers: Record<string, string>, beginning: string) =>
    placeOfFile({ headers }, beginning)?.told

  test('comes from headers only without content', () => {
    expect(at({ location: '/files/1' }, '')).toBe('a Location header')
    expect(at({ location: '/files/1' }, 'a,b')).toBeUndefined()
    expect(at({ 'content-location': '/files/1' }, '')).toBe('a Content-Location header')
    expect(at({ link: '</files/1>; rel="enclosure"' }, '')).toBe('a Link header')
    expect(at({}, '')).toBeUndefined()
    const headers = { link: '</files/1>; rel="enclosure", <2>' }
    expect(placeOfFile({ headers }, '')?.address).toBe('/files/1')
  })

  test('is decoded, however it was escaped', () => {
    const json = String.raw`{"status":"ready","fileUrl":"https:\/\/files.example.com\/1\u0026a"}`
    expect(placeOfFile({ headers: {} }, json)?.address).toBe('https://files.example.com/1&a')
  })

  test.each([
    '{"url":"https://files.example.com/1"}',
    '{"data":{"downloadLink":"https:\\/\\/files.example.com\\/1"},"expires":3}',
    '[{"file_location":"/files/1"}]',
    '{"last_error":"no","errors_before":"no","file":"HTTP://files.example.com/1"}',
  ])('comes from %s', (json) => {
    expect(at({}, json)).toBe('a link in JSON')
  })

  test.each([
    '{"error":"no","url":"https://errors.example.com"}',
    '{"errors":"no","url":"https://errors.example.com"}',
    '{"file_name":"events.csv"}',
    '{"file":"see https://files.example.com/1"}',
    '{"type":"https://errors.example.com/1","title":"no","status":400}',
    '{"file":"id,time"}',
    '{"rows":[{"id":"1","link":"x"}]}',
  ])('does not come from %s', (json) => {
    expect(at({}, json)).toBeUndefined()
  })
})
