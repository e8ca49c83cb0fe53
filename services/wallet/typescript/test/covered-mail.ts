import { x25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { strict as assert } from 'node:assert';
import { at, concat, fromHex, toHex, type Bytes } from '../src/bytes.js';
import { Detector } from '../src/detection.js';
import { receiver } from '../src/hpke.js';
import { Network } from '../src/network.js';
import { ANSWER_KEY, associated, encodeQuery, QUERY_INFO } from '../src/query.js';
import { bitBytes, bitOf, bitsOf, sumOf } from '../src/retrieval.js';
import { HEADER, listText, readList, rootOf, stateAfter } from '../src/tables.js';
import { openProof, sealProof } from '../src/witness.js';
import type { Inputs } from './cases.js';

const network = (i: Inputs): Network => new Network(i.text('network'));
const blobs = (i: Inputs, name: string): Bytes[] => i.texts(name).map(fromHex);

function mailState(i: Inputs): Bytes {
  const records = blobs(i, 'blobs');
  const headers = sha256(concat(...records.map((blob) => blob.subarray(0, HEADER))));
  const before = { closed: i.integer('beforeClosed'), digest: i.bytes('before') };
  const table = { closed: i.integer('closed'), first: i.integer('first'), records: records.length, headers, root: rootOf(records) };
  return stateAfter(before, i.number('bucket'), table).digest;
}

async function detected(i: Inputs): Promise<string> {
  const decryptionKey = i.bytes('encryptionSecret');
  return String(await new Detector({ decryptionKey, encryptionKey: x25519.getPublicKey(decryptionKey) }).detect([i.bytes('header')]));
}

/** What a replica answers. */
function mailSum(i: Inputs): Bytes {
  const records = blobs(i, 'records');
  const tables = i.texts('tables').map(Number);
  const bits = bitsOf(i.bytes('share'), bitBytes(tables));
  const places = tables.flatMap((count, table) => Array.from({ length: count }, (_, record) => bitOf(tables, table, record)));
  return sumOf(records.filter((_, n) => ((at([...bits], at(places, n) >> 3) >> (at(places, n) & 7)) & 1) === 1), 16);
}

/** The replica's side of a sealed share. */
function share(i: Inputs) {
  const context = receiver(i.bytes('replicaSecret'), i.bytes('encapsulatedKey'), QUERY_INFO);
  return { query: context.open(i.bytes('sealedShare'), associated(network(i), i.number('authority'))), key: context.export(ANSWER_KEY, 32) };
}

function mailQuery(i: Inputs): Bytes {
  const { query } = share(i);
  const times = { after: i.integer('after'), upto: i.integer('upto') };
  assert.equal(toHex(encodeQuery({ bucket: i.number('bucket'), ...times, state: i.bytes('state'), share: i.bytes('share') })), toHex(query));
  return query;
}

function mailAnswer(i: Inputs): Bytes {
  const { key } = share(i);
  const answer = sealProof(key, i.bytes('nonce'), i.bytes('answer'));
  assert.deepEqual(openProof(key, answer), i.bytes('answer'));
  return answer;
}

/** The operations of `mail.json`. */
export const MAIL = {
  mailState,
  mailList: (i: Inputs): string => listText(network(i), readList(network(i), i.text('text'))),
  detects: detected,
  mailSum,
  mailQuery,
  mailAnswer,
} as const;
