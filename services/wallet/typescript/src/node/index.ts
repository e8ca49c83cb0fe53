// What a program for Node.js imports beside `../index.ts`.

export { openFile, type WalletFile } from './file.js';
export { profileOf } from './profile.js';
