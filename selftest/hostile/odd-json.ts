export const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

/** The same object with members that mislead careless readers: nothing that breaks the contract. */
export function disguised(json: string): Buffer {
  const members = json.replace(/^\s*\{/, '')
  const odd = [
    '"id":"another one"',
    '"__proto__":{"id":"nobody","status":7}',
    '"constructor":{"prototype":{"id":null}}',
    '"toString":1,"hasOwnProperty":2,"then":3,"length":1e400',
    `"nested":${deep(150)}`,
    `"many":[${'0,'.repeat(20_000)}0]`,
    '"number":1234567890123456789012345678901234567890.5e-300',
  ]
  return Buffer.concat([
    Buffer.from(`{${odd.join(',')},"not utf-8":"`),
    Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
    Buffer.from(`",${members}`),
  ])
}
