import type { Bytes } from '../../typescript/src/bytes.js';
import { demand } from '../../typescript/src/refusal.js';
import { fromUtf8, utf8 } from '../../typescript/src/text.js';

/** Somebody whom the owner pays. */
export interface Contact {
  readonly name: string;
  readonly address: string;
}

const NAME_CHARACTERS = 40;
const MOST = 200;

/** The contacts as they are kept. Others than this page wrote are none. */
export function readContacts(content: Bytes | undefined): readonly Contact[] {
  try {
    const read = (content === undefined ? [] : JSON.parse(fromUtf8(content))) as readonly Contact[];
    return read.filter(({ name, address }) => typeof name === 'string' && typeof address === 'string');
  } catch {
    return [];
  }
}

export const writeContacts = (contacts: readonly Contact[]): Bytes => utf8(JSON.stringify(contacts));

/** The contacts with one more, in the order of their names. An address has one name, and a name one address. */
export function withContact(contacts: readonly Contact[], { name, address }: Contact): readonly Contact[] {
  const plain = name.trim();
  const length = [...plain].length;
  demand(length >= 1 && length <= NAME_CHARACTERS && !/\p{C}/u.test(plain), 'malformed-request', `a name has 1 to ${NAME_CHARACTERS} characters`);
  const others = contacts.filter((one) => one.address !== address);
  demand(!others.some((one) => one.name === plain), 'malformed-request', 'another contact has this name');
  demand(others.length < MOST, 'malformed-request', `more than ${MOST} contacts`);
  return [...others, { name: plain, address }].sort((one, other) => one.name.localeCompare(other.name));
}
