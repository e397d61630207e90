/**
 * Runs in the reader's browser: recomputes the fingerprint of a dropped evidence file or PDF. Nothing is sent anywhere.
 * The canonical form is RFC 8785 for documents of texts, booleans, nulls, lists and objects: JSON with sorted keys.
 */
export const verifyScript = `
'use strict';
const expected = document.body.dataset.fingerprint;
const area = document.getElementById('drop');
const picker = document.getElementById('file');
const verdict = document.getElementById('verdict');
const canonical = (value) => Array.isArray(value) ? '[' + value.map(canonical).join(',') + ']'
  : value && typeof value === 'object' ? '{' + Object.keys(value).sort().map((key) => JSON.stringify(key) + ':' + canonical(value[key])).join(',') + '}'
  : JSON.stringify(value);
async function evidenceOf(bytes) {
  const text = new TextDecoder('latin1').decode(bytes);
  if (!text.startsWith('%PDF-')) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const at = text.search(/\\/EmbeddedFile(?!s)/);
  const object = at < 0 ? -1 : text.lastIndexOf(' obj', at);
  const start = /stream\\r?\\n/.exec(text.slice(at));
  if (object < 0 || !start) throw new Error('The PDF carries no evidence.');
  const from = at + start.index + start[0].length;
  const length = /\\/Length (\\d+)/.exec(text.slice(object, from));
  const stream = bytes.slice(from, length ? from + Number(length[1]) : text.indexOf('endstream', from));
  if (!/FlateDecode/.test(text.slice(object, from))) return new TextDecoder().decode(stream);
  const inflated = new Response(new Blob([stream]).stream().pipeThrough(new DecompressionStream('deflate')));
  return new TextDecoder().decode(await inflated.arrayBuffer());
}
async function check(file) {
  verdict.className = '';
  verdict.textContent = 'Reading ' + file.name + ' …';
  try {
    if (!crypto.subtle) throw new Error('This browser computes hashes only on https pages. Use: weather verify FILE');
    const evidence = await evidenceOf(new Uint8Array(await file.arrayBuffer()));
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonical(JSON.parse(evidence))));
    const computed = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    const same = computed === expected;
    verdict.className = same ? 'same' : 'other';
    verdict.textContent = same ? 'The evidence in this file has the fingerprint of this page: it is unchanged.'
      : 'The evidence in this file has another fingerprint: ' + computed + '. It is not the evidence of this page, or it was changed.';
  } catch (fault) {
    verdict.className = 'other';
    verdict.textContent = 'The file cannot be checked: ' + (fault && fault.message ? fault.message : 'it is neither a report nor its evidence.');
  }
}
picker.addEventListener('change', () => picker.files[0] && check(picker.files[0]));
area.addEventListener('dragover', (event) => { event.preventDefault(); area.classList.add('over'); });
area.addEventListener('dragleave', () => area.classList.remove('over'));
area.addEventListener('drop', (event) => { event.preventDefault(); area.classList.remove('over'); if (event.dataTransfer.files[0]) check(event.dataTransfer.files[0]); });
`
