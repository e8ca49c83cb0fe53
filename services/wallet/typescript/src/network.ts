import { sha256 } from '@noble/hashes/sha2.js';
import { ascii, concat, toInteger, u8, type Bytes } from './bytes.js';
import { demand } from './refusal.js';

/** A network by its id (E-07). */
export class Network {
  readonly id: string;
  /** 32 bytes. */
  readonly digest: Bytes;
  /** The first 16 bytes of the digest, as an integer. */
  readonly tag: bigint;

  constructor(id: string) {
    demand(/^[a-z0-9-]{3,32}$/.test(id) && !id.includes('\n'), 'BAD_NETWORK_ID', 'a network id has 3 to 32 characters of a-z0-9-');
    this.id = id;
    this.digest = sha256(concat(ascii('solidus/network/v1'), u8(0), ascii(id)));
    this.tag = toInteger(this.digest.subarray(0, 16));
  }

  /** The 16 bytes of the tag. */
  get tagBytes(): Bytes {
    return this.digest.subarray(0, 16);
  }
}
