import { fastest, type Agree } from './agreement.js';
import { equal, type Bytes } from './bytes.js';
import { ExportAlone } from './hpke.js';
import { DETECTION, INFO, TAG } from './parcel.js';
import { HEADER } from './tables.js';

/** Of a wallet's mail. */
interface Keys {
  readonly decryptionKey: Bytes;
  readonly encryptionKey: Bytes;
}

/** Tells by headers, the first 34 bytes of blobs, which of them are for a wallet. A day of a bucket has some 30,000. */
export class Detector {
  readonly #exports: ExportAlone;
  readonly #agreement: () => Promise<Agree>;
  #agree: Promise<Agree> | undefined;

  /** @param agreement what multiplies by the private key */
  constructor({ decryptionKey, encryptionKey }: Keys, agreement: (privateKey: Bytes) => Promise<Agree> = fastest) {
    this.#exports = new ExportAlone(encryptionKey, INFO, DETECTION, TAG);
    this.#agreement = () => agreement(decryptionKey);
  }

  /**
   * Whether each header is that of a blob for this wallet, or of one in 65,536 for others. All are tested in the same way, whether or not any
   * is the wallet's.
   */
  async detect(headers: readonly Bytes[]): Promise<readonly boolean[]> {
    this.#agree ??= this.#agreement();
    const keys = headers.map((header) => header.subarray(TAG, HEADER));
    const products = await (await this.#agree)(keys);
    return headers.map((header, i) => {
      const [key, dh] = [keys[i], products[i]];
      return key !== undefined && dh !== undefined && equal(this.#exports.of(dh, key), header.subarray(0, TAG));
    });
  }
}
