/**
 * The script of the verification page. It recomputes the fingerprint of a dropped evidence file or PDF, and verifies the signature over
 * the whole PDF with the keys in the page. It sends nothing.
 * The canonical form is RFC 8785 for documents of strings, booleans, nulls, arrays and objects: JSON with sorted keys.
 */
export const verifyScript = `
'use strict';
const expected = document.body.dataset.fingerprint;
const keys = JSON.parse(document.body.dataset.keys);
const area = document.getElementById('drop');
const picker = document.getElementById('file');
const verdict = document.getElementById('verdict');
const canonical = (value) => Array.isArray(value) ? '[' + value.map(canonical).join(',') + ']'
  : value && typeof value === 'object' ? '{' + Object.keys(value).sort().map((key) => JSON.stringify(key) + ':' + canonical(value[key])).join(',') + '}'
  : JSON.stringify(value);
// A file that cannot be read, with a message for the page: the browser's own messages would not help the reader.
class Unreadable extends Error {}
const BYTES_MAX = 256 * 1024 * 1024;
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const isPdf = (text) => text.startsWith('%PDF-');

async function evidenceOf(bytes, text) {
  if (!isPdf(text)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const at = text.search(/\\/EmbeddedFile(?!s)/);
  const object = at < 0 ? -1 : text.lastIndexOf(' obj', at);
  const start = /stream\\r?\\n/.exec(text.slice(at));
  if (object < 0 || !start) throw new Unreadable('The PDF contains no evidence.');
  const from = at + start.index + start[0].length;
  const length = /\\/Length (\\d+)/.exec(text.slice(object, from));
  const stream = bytes.slice(from, length ? from + Number(length[1]) : text.indexOf('endstream', from));
  if (!/FlateDecode/.test(text.slice(object, from))) return new TextDecoder().decode(stream);
  const inflated = new Response(new Blob([stream]).stream().pipeThrough(new DecompressionStream('deflate')));
  return new TextDecoder().decode(await inflated.arrayBuffer());
}

// Splits consecutive DER values into tag, contents, and the bytes of the whole value.
function der(bytes) {
  const values = [];
  for (let at = 0; at < bytes.length;) {
    let length = bytes[at + 1], body = at + 2;
    if (length > 127) {
      const count = length & 127;
      length = bytes.slice(body, body + count).reduce((sum, byte) => sum * 256 + byte, 0);
      body += count;
    }
    values.push({ tag: bytes[at], body: bytes.slice(body, body + length), whole: bytes.slice(at, body + length) });
    at = body + length;
  }
  return values;
}

// Joins the two numbers of an ECDSA signature, as WebCrypto expects them.
function sideBySide(signature, size) {
  const numbers = der(der(signature)[0].body).map(({ body }) => body.slice(Math.max(0, body.length - size)));
  const joined = new Uint8Array(2 * size);
  numbers.forEach((number, at) => joined.set(number, (at + 1) * size - number.length));
  return joined;
}

// Returns 'none' for a file that was never signed, 'genuine' if one of the page's keys signed every byte, else 'other'.
async function signatureOf(bytes, text) {
  if (!/\\/ByteRange|CAdES|\\/SigFlags|\\/DocMDP|\\/Type \\/Sig/.test(text)) return 'none';
  try {
    const [, a, b, c] = /\\/ByteRange \\[0 (\\d+) (\\d+) (\\d+)\\]/.exec(text).map(Number);
    if (b + c !== bytes.length || text.split('/ByteRange').length !== 2) return 'other';
    const cms = Uint8Array.from(text.slice(a + 1, b - 1).match(/../g), (pair) => parseInt(pair, 16));
    const content = new Uint8Array(a + c);
    content.set(bytes.slice(0, a));
    content.set(bytes.slice(b), a);
    const signed = der(der(der(cms)[0].body)[1].body)[0];
    const signer = der(der(der(signed.body).at(-1).body)[0].body);
    const attributes = signer.find(({ tag }) => tag === 0xa0);
    const digest = der(attributes.body).map(({ body }) => der(body)).find(([name]) => hexOf(name.body) === '2a864886f70d010904');
    if (hexOf(der(digest[1].body)[0].body) !== hexOf(await sha256(content))) return 'other';
    const over = attributes.whole.slice();
    over[0] = 0x31;
    const signature = signer.at(-1).body;
    for (const key of keys) {
      const algorithm = key.kty === 'RSA' ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } : { name: 'ECDSA', namedCurve: key.crv, hash: 'SHA-256' };
      const size = { 'P-256': 32, 'P-384': 48, 'P-521': 66 }[key.crv];
      const imported = await crypto.subtle.importKey('jwk', { ...key, alg: undefined }, algorithm, false, ['verify']);
      const form = key.kty === 'RSA' ? signature : sideBySide(signature, size);
      if (await crypto.subtle.verify(algorithm, imported, form, over).catch(() => false)) return 'genuine';
    }
  } catch {}
  return 'other';
}

const SAME = 'The evidence in this file has the fingerprint of this page: it is unchanged.';

// CSS classes of the verdict: 'open' for a file whose evidence matches but whose pages are not signed.
const FOUND = { same: 'same', other: 'other', open: '' };

async function checkFile(bytes) {
  const text = new TextDecoder('latin1').decode(bytes);
  const evidence = await evidenceOf(bytes, text);
  const computed = hexOf(await sha256(new TextEncoder().encode(canonical(JSON.parse(evidence)))));
  if (computed !== expected)
    return [FOUND.other, 'The evidence in this file has another fingerprint: ' + computed + '. It is not the evidence of this page, or it has been changed.'];
  if (!isPdf(text)) return [FOUND.same, SAME];
  const signature = await signatureOf(bytes, text);
  if (signature === 'genuine') return [FOUND.same, SAME + ' No byte of the file was changed since this service signed it: its pages are the original ones.'];
  if (signature === 'none')
    return [FOUND.open, SAME + ' Its pages may still be different: the file is not signed as a whole, and this check does not read the pages. Compare their figures with those above, or use: weather verify FILE'];
  return [FOUND.other, 'The evidence in this file has the fingerprint of this page, but this service did not sign the file, or the file was changed since. Do not rely on its pages.'];
}

async function bytesOf(file) {
  if (!crypto.subtle) throw new Unreadable('This browser can compute hashes only on https pages. Use: weather verify FILE');
  if (file.size > BYTES_MAX) throw new Unreadable('It is larger than 256 MiB, which is more than this page reads. Use: weather verify FILE');
  return new Uint8Array(await file.arrayBuffer().catch(() => { throw new Unreadable('The browser could not read it.'); }));
}

// Counts the files: a verdict that arrives late belongs to an earlier file and is dropped.
let latest = 0;

async function check(file) {
  const current = ++latest;
  const show = (found, message) => {
    if (current !== latest) return;
    verdict.className = found;
    verdict.textContent = message;
  };
  show('', 'Reading ' + file.name + ' …');
  try {
    const [found, message] = await checkFile(await bytesOf(file));
    show(found, file.name + ': ' + message);
  } catch (fault) {
    show('other', file.name + ': The file cannot be checked: ' + (fault instanceof Unreadable ? fault.message : 'It is neither a report nor its evidence, or a part of it is broken.'));
  }
}
picker.addEventListener('change', () => picker.files[0] && check(picker.files[0]));
// Accepts a drop anywhere on the page: outside the area a browser would open the file instead of the page.
document.addEventListener('dragover', (event) => { event.preventDefault(); area.classList.add('over'); });
document.addEventListener('dragleave', (event) => event.relatedTarget || area.classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  area.classList.remove('over');
  const { files } = event.dataTransfer;
  if (!files[0]) return;
  // The field shows the name of the file that is checked.
  picker.files = files;
  check(files[0]);
});
`
