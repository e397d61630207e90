/**
 * Reads a report's PDF or evidence file and recomputes its fingerprint.
 * The canonical form is RFC 8785 for documents of strings, booleans, nulls, arrays and objects: JSON with sorted keys.
 */
const reading = `
'use strict';
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

async function fingerprintOf(bytes, text) {
  return hexOf(await sha256(new TextEncoder().encode(canonical(JSON.parse(await evidenceOf(bytes, text))))));
}

async function bytesOf(file) {
  if (!crypto.subtle) throw new Unreadable('This browser can compute hashes only on https pages. Use: weather verify FILE');
  if (file.size > BYTES_MAX) throw new Unreadable('It is larger than 256 MiB, which is more than this page reads. Use: weather verify FILE');
  return new Uint8Array(await file.arrayBuffer().catch(() => { throw new Unreadable('The browser could not read it.'); }));
}
`

/** The field for a file, which also takes a dropped one. `checkFile` returns the class and the text of the verdict. */
const fileField = `
const area = document.getElementById('drop');
const picker = document.getElementById('file');
const verdict = document.getElementById('verdict');
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
// A file that was replaced under its name can be checked again: browsers report no change when the same name is chosen twice.
picker.addEventListener('click', () => { picker.value = ''; });
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

/**
 * The script of the verification page. It recomputes the fingerprint of a dropped evidence file or PDF, and verifies the signature over
 * the whole PDF with the keys in the page. It sends nothing.
 */
export const verifyScript = `${reading}
const expected = document.body.dataset.fingerprint;
const keys = JSON.parse(document.body.dataset.keys);

// Fails for a signature that is not exactly as this service writes it: only one encoding is accepted, so that no byte of the file can
// change undetected. weather verify checks the same.
function assert(condition) {
  if (!condition) throw new Error('The signature has an unknown format.');
}

// Reads consecutive DER values: tag, contents, and the bytes of the whole value.
function der(bytes) {
  const values = [];
  for (let at = 0; at < bytes.length; at += values.at(-1).whole.length) values.push(firstDer(bytes.subarray(at)));
  return values;
}

// Reads the first value. Its length must be in the shortest form, and within the bytes.
function firstDer(bytes) {
  const [tag, first] = bytes;
  const count = first > 127 ? first - 128 : 0;
  const length = count ? bytes.subarray(2, 2 + count).reduce((sum, byte) => sum * 256 + byte, 0) : first;
  const end = 2 + count + length;
  assert(bytes.length > 1 && (tag & 31) !== 31 && first !== 128 && count < 4 && end <= bytes.length);
  assert(count === 0 || length >= Math.max(128, 256 ** (count - 1)));
  return { tag, body: bytes.subarray(2 + count, end), whole: bytes.subarray(0, end) };
}

const [SEQUENCE, SET, OCTETS, INTEGER, CONTEXT_0] = [0x30, 0x31, 0x04, 0x02, 0xa0];
// Whole encoded values in hex, as in a signature.
const ONE = '020101';
const DATA = '06092a864886f70d010701';
const SIGNED_DATA = '06092a864886f70d010702';
const CONTENT_TYPE = '06092a864886f70d010903';
const MESSAGE_DIGEST = '06092a864886f70d010904';
const SIGNING_CERTIFICATE = '060b2a864886f70d010910022f';
const SHA256 = ['300b0609608648016503040201', '300d06096086480165030402010500'];
const ALGORITHMS = { RSA: ['300d06092a864886f70d0101010500', '300d06092a864886f70d01010b0500'], EC: ['300a06082a8648ce3d040302'] };

function bodyOf(value, tag) {
  assert(value && value.tag === tag);
  return value.body;
}
function childrenOf(value, tag, count) {
  const children = der(bodyOf(value, tag));
  assert(children.length === count);
  return children;
}
const assertSame = (value, ...expected) => assert(value && expected.includes(hexOf(value.whole)));

// Checks everything in a CMS signature but the signature itself: its only format, the content, and that the signed attributes name the
// certificates in it.
async function signerOf(cms, content) {
  const [type, wrapped] = childrenOf(cms, SEQUENCE, 2);
  const [version, digests, contained, certificates, signers] = childrenOf(childrenOf(wrapped, CONTEXT_0, 1)[0], SEQUENCE, 5);
  const [signerVersion, issued, digest, attributes, algorithm, signature] = childrenOf(childrenOf(signers, SET, 1)[0], SEQUENCE, 6);
  const chain = der(bodyOf(certificates, CONTEXT_0));
  assertSame(type, SIGNED_DATA);
  assertSame(version, ONE);
  assertSame(signerVersion, ONE);
  assertSame(childrenOf(digests, SET, 1)[0], ...SHA256);
  assertSame(digest, ...SHA256);
  assertSame(childrenOf(contained, SEQUENCE, 1)[0], DATA);
  const [, serial, , issuer] = der(bodyOf(childrenOf(chain[0], SEQUENCE, 3)[0], SEQUENCE));
  assert(hexOf(issuer.whole) + hexOf(serial.whole) === hexOf(bodyOf(issued, SEQUENCE)));
  const pairs = der(bodyOf(attributes, CONTEXT_0)).map((attribute) => {
    const [name, values] = childrenOf(attribute, SEQUENCE, 2);
    return [hexOf(name.whole), childrenOf(values, SET, 1)[0]];
  });
  const named = new Map(pairs);
  assert(named.size === pairs.length);
  assertSame(named.get(CONTENT_TYPE), DATA);
  assert(hexOf(bodyOf(named.get(MESSAGE_DIGEST), OCTETS)) === hexOf(await sha256(content)));
  const hashes = der(bodyOf(childrenOf(named.get(SIGNING_CERTIFICATE), SEQUENCE, 1)[0], SEQUENCE));
  assert(hashes.length === chain.length);
  for (const [at, { whole }] of chain.entries())
    assert(hexOf(bodyOf(childrenOf(hashes[at], SEQUENCE, 1)[0], OCTETS)) === hexOf(await sha256(whole)));
  // The signature covers the attributes with the tag of a set, which they do not have here.
  const over = attributes.whole.slice();
  over[0] = SET;
  return { over, algorithm, signature: bodyOf(signature, OCTETS) };
}

// Joins the two numbers of an ECDSA signature, as WebCrypto expects them.
function sideBySide(signature, size) {
  const [pair, ...more] = der(signature);
  assert(more.length === 0);
  const joined = new Uint8Array(2 * size);
  childrenOf(pair, SEQUENCE, 2).forEach((value, at) => {
    const body = bodyOf(value, INTEGER);
    assert(body[0] < 128 && (body[0] > 0 || body[1] > 127));
    const number = body[0] === 0 ? body.subarray(1) : body;
    assert(number.length <= size);
    joined.set(number, (at + 1) * size - number.length);
  });
  return joined;
}

async function isSignedWith(key, { over, algorithm, signature }) {
  assertSame(algorithm, ...ALGORITHMS[key.kty]);
  const scheme = key.kty === 'RSA' ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } : { name: 'ECDSA', namedCurve: key.crv, hash: 'SHA-256' };
  const size = { 'P-256': 32, 'P-384': 48, 'P-521': 66 }[key.crv];
  const imported = await crypto.subtle.importKey('jwk', { ...key, alg: undefined }, scheme, false, ['verify']);
  return crypto.subtle.verify(scheme, imported, key.kty === 'RSA' ? signature : sideBySide(signature, size), over);
}

// Texts of which a signed file keeps some even after a change of one byte, so that it does not pass as unsigned.
const TRACES = ['/ByteRange', '/ETSI.CAdES.detached', '/adbe.pkcs7', '/SigFlags', '/DocMDP', '/Type /Sig', '/FT /Sig'];

// Returns 'none' for a file that was never signed, 'genuine' if one of the page's keys signed every byte, else 'other'.
async function signatureOf(bytes, text) {
  if (!TRACES.some((trace) => text.includes(trace))) return 'none';
  try {
    const range = /\\/ByteRange \\[0 (\\d+) (\\d+) (\\d+)\\] *\\n\\/Contents </.exec(text);
    assert(range && text.split('/ByteRange').length === 2);
    const [a, b, c] = range.slice(1).map(Number);
    assert(a === range.index + range[0].length - 1 && b + c === bytes.length);
    const hex = /^<([0-9a-f]+)>$/.exec(text.slice(a, b));
    assert(hex && hex[1].length % 2 === 0);
    const filled = Uint8Array.from(hex[1].match(/../g), (pair) => parseInt(pair, 16));
    const cms = firstDer(filled);
    assert(filled.subarray(cms.whole.length).every((byte) => byte === 0));
    const content = new Uint8Array(a + c);
    content.set(bytes.subarray(0, a));
    content.set(bytes.subarray(b), a);
    const signer = await signerOf(cms, content);
    for (const key of keys) if (await isSignedWith(key, signer).catch(() => false)) return 'genuine';
  } catch {}
  return 'other';
}

const SAME = 'The evidence in this file has the fingerprint of this page: it is unchanged.';

// CSS classes of the verdict: 'open' for a file whose evidence matches but whose pages are not signed.
const FOUND = { same: 'same', other: 'other', open: '' };

async function checkFile(bytes) {
  const text = new TextDecoder('latin1').decode(bytes);
  const computed = await fingerprintOf(bytes, text);
  if (computed !== expected)
    return [FOUND.other, 'The evidence in this file has another fingerprint: ' + computed + '. It is not the evidence of this page, or it has been changed.'];
  if (!isPdf(text)) return [FOUND.same, SAME];
  const signature = await signatureOf(bytes, text);
  if (signature === 'genuine') return [FOUND.same, SAME + ' No byte of the file was changed since this service signed it: its pages are the original ones.'];
  if (signature === 'none')
    return [FOUND.open, SAME + ' Its pages may still be different: the file is not signed as a whole, and this check does not read the pages. Compare their figures with those above, or use: weather verify FILE'];
  return [FOUND.other, 'The evidence in this file has the fingerprint of this page, but this service did not sign the file, or the file was changed since. Do not rely on its pages.'];
}
${fileField}`

/** The script of the page that finds a verification page: it opens the page of a file's fingerprint, and sends nothing else. */
export const findScript = `${reading}
async function checkFile(bytes) {
  const fingerprint = await fingerprintOf(bytes, new TextDecoder('latin1').decode(bytes));
  location.assign('/verify/' + fingerprint);
  return ['', 'Opening the page of its fingerprint …'];
}
${fileField}`
