import { ascii, concat, sized, type Bytes } from './bytes.js';
import { receiver, sender } from './hpke.js';
import { object, parseJson, text, writeJson } from './json.js';
import type { Network } from './network.js';
import { demand, wellFormed } from './refusal.js';
import { fromUtf8, utf8 } from './text.js';

/** Where a withdrawal goes (F-07). */
export interface Payout {
  readonly creditorName: string;
  readonly iban: string;
  readonly reference: string;
}

const CONTENT = 464;
const BLOCK = 512;
const INFO = ascii('solidus/payout/v1');

const members = object({ creditorName: text, iban: text, reference: text });

/** ISO 13616: country, check digits, 11 to 30 letters and digits, and 1 modulo 97 with the first four behind the rest. */
function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((c) => Number.parseInt(c, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

function check(payout: Payout): Payout {
  const plain = (value: string, least: number): boolean => value.length >= least && value.length <= 140 && !/\p{Cc}/u.test(value);
  demand(plain(payout.creditorName, 1), 'malformed-request', 'not the name of a creditor');
  demand(plain(payout.reference, 0), 'malformed-request', 'not a reference');
  demand(isIban(payout.iban), 'malformed-request', 'not an IBAN');
  return payout;
}

/** The JSON text of an instruction. */
export const payoutText = (payout: Payout): string => writeJson(members.write(check(payout)));

/** The 464 bytes of an instruction. */
export function encodePayout(payout: Payout): Bytes {
  const json = utf8(payoutText(payout));
  demand(json.length <= CONTENT, 'malformed-request', 'the instruction is too long');
  return concat(json, new Uint8Array(CONTENT - json.length));
}

/** An instruction as the issuance service reads it, which ignores other members. */
export function decodePayout(bytes: Bytes): Payout {
  const json = sized(bytes, CONTENT, 'an instruction').subarray(0, (bytes.findLastIndex((b) => b !== 0) + 1));
  return check(members.read(parseJson(fromUtf8(json)), 'ignored'));
}

/** The payout block of 512 bytes for the issuance service's key. */
export function sealPayout(network: Network, key: Bytes, content: Bytes, ephemeral?: Bytes): Bytes {
  const { encapsulated, context } = sender(key, INFO, ephemeral);
  return concat(encapsulated, context.seal(sized(content, CONTENT, 'an instruction'), network.digest));
}

export function openPayout(network: Network, privateKey: Bytes, block: Bytes): Bytes {
  wellFormed(() => sized(block, BLOCK, 'a payout block'));
  return receiver(privateKey, block.subarray(0, 32), INFO).open(block.subarray(32), network.digest);
}
