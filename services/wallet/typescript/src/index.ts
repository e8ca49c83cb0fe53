// What a program that uses the wallet imports; `node/index.ts` has the rest for Node.js.

export { fromHex, toHex, type Bytes } from './bytes.js';
export type { Prove } from './evidence.js';
export { Gateway } from './gateway.js';
export { fetchTransport, type Transport } from './http.js';
export type { MailStatus } from './mail.js';
export type { MintOf } from './minting.js';
export type { Network } from './network.js';
export type { Payout } from './payout.js';
export { replicasOf } from './private-mail.js';
export { delegatedProofs, ownProofs, type Library } from './proving.js';
export { isRetryable, Refusal, type Reason } from './refusal.js';
export type { Bank, Person, Registration, Stage } from './registering.js';
export { isPaymentFor, readRequest, requestContent, requestUri, type PaymentRequest, type ReadRequest } from './request.js';
export type { Storage } from './store.js';
export { utf8 } from './text.js';
export { Wallet, type Allowance, type Balance, type Host, type Payment, type Profile, type Progress, type Received, type Step } from './wallet.js';
