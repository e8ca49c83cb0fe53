import { demand } from './refusal.js';
import type { Bytes } from './bytes.js';

/** The bytes of a text in UTF-8. */
export function utf8(text: string): Bytes {
  demand(text.isWellFormed(), 'OUT_OF_RANGE', 'half a surrogate pair');
  return new TextEncoder().encode(text);
}

/** The text of bytes, which have to be UTF-8. */
export function fromUtf8(bytes: Bytes): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return demand(false, 'malformed-request', 'not UTF-8') as never;
  }
}

/** What a payee shows of a payer's text (F-09): at most 140 characters, without control and format characters. */
export function shownText(bytes: Bytes): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return [...text.replace(/[\p{Cc}\p{Cf}]/gu, '')].slice(0, 140).join('');
}

/** The name of a mailbox (F-14). Empty is the network's own. */
export function mailboxName(bytes: Bytes): string {
  const name = String.fromCharCode(...bytes);
  const label = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
  const valid = name === '' || (name.length <= 63 && name.split('.').every((part) => label.test(part) && !part.includes('\n')));
  demand(valid, 'malformed-request', 'not the name of a mailbox');
  return name;
}
