import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Network } from '../network.js';
import type { Bytes } from '../bytes.js';
import type { Profile } from '../wallet.js';

/**
 * What a wallet pins, from a folder of keys that came with the application (F-29).
 *
 * @param manifestKey the key that signed the manifest, 32 bytes
 */
export async function profileOf(folder: string, networkId: string, manifestKey: Bytes, classes: readonly string[]): Promise<Profile> {
  const file = async (name: string): Promise<Bytes> => new Uint8Array(await readFile(join(folder, name)));
  return {
    network: new Network(networkId),
    manifestKey,
    classes,
    manifest: await file('manifest.json'),
    manifestSignature: await readFile(join(folder, 'manifest.sig'), 'latin1'),
    transferKey: await file('transfer.vk'),
    registerKey: await file('register.vk'),
    mintKey: await file('mint.vk'),
    ...(await file('recover.vk').then((recoverKey) => ({ recoverKey }), () => ({}))),
  };
}
