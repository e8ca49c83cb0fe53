import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import {
  delegatedProofs,
  fetchTransport,
  fromHex,
  ownProofs,
  readRequest,
  Refusal,
  utf8,
  Wallet,
  type Library,
  type Network,
  type Payout,
  type Person,
  type Profile,
  type Prove,
  type Transport,
} from '@solidus/second-implementation';
import { openFile, profileOf } from '@solidus/second-implementation/node';
import { GeneratedGateway } from '../src/gateway.js';

// A wallet that speaks with the gateway by the generated client alone, and that another program drives: one line of JSON for each call and
// each answer.
// Words and passphrase come by the standard input, where no list of processes shows them.

interface Start {
  readonly networkId: string;
  readonly keys: string;
  readonly manifestKey: string;
  readonly currency: string;
  readonly gateway: string;
  readonly registration: string;
  readonly issuance: string;
  readonly redemptionKey: string;
  readonly prover: string;
  /** The keys of the replicas in hexadecimal, 64 bytes each, with commas between them: the wallet reads its mail in private. */
  readonly replicas?: string;
  readonly file: string;
  readonly passphrase: string;
  /** The native library as a module for WebAssembly, and the script that opens it, for proofs of this process instead of the prover's. */
  readonly module?: string;
  readonly script?: string;
  /** How long a sent transfer is tried again, in milliseconds. */
  readonly patience?: string;
  /** For a new file of these words. */
  readonly words?: string;
  /** For a new file of new words. Without these two the file is opened. */
  readonly create?: string;
}

type Call =
  | { readonly call: 'words' | 'collectRegistration' | 'hold' | 'release' }
  | { readonly call: 'register'; readonly person: Person }
  | { readonly call: 'requestMint'; readonly funding: string; readonly token: string; readonly amount: string }
  | { readonly call: 'collectMint'; readonly id: string }
  | { readonly call: 'withdraw'; readonly amount: string; readonly payout: Payout }
  | { readonly call: 'restore' | 'receive' | 'claim' | 'settle' | 'recover' | 'balance' | 'mail' }
  | { readonly call: 'payRequest'; readonly request: string }
  | { readonly call: 'pay'; readonly to: string; readonly amount: string; readonly text: string };

async function ownProofsOf({ keys, module, script }: Start, profile: Profile): Promise<Prove> {
  const names = (await readdir(keys, { withFileTypes: true })).filter((entry) => entry.isFile()).map((entry) => entry.name);
  const files = new Map(await Promise.all(names.map(async (name) => [`keys/${name}`, await readFile(join(keys, name))] as const)));
  const loader = (await import(pathToFileURL(script as string).href)) as { open(module: Uint8Array, files: unknown): Promise<Library> };
  return ownProofs(await loader.open(await readFile(module as string), files), profile, '/keys');
}

/** Keeps transfers back while it is told so, for a test that hands them to some authorities alone. */
class Holding {
  on = false;
  request: string | undefined;

  over(transport: Transport): Transport {
    return (exchange) => {
      if (!this.on || exchange.path !== '/v1/transfers') return transport(exchange);
      this.request = exchange.body;
      return Promise.reject(new Refusal('gateway-unreachable', 'a test holds it'));
    };
  }
}

interface Opened {
  readonly wallet: Wallet;
  readonly network: Network;
  readonly holding: Holding;
}

async function open(start: Start): Promise<Opened> {
  const folder = await profileOf(start.keys, start.networkId, fromHex(start.manifestKey), ['development']);
  const replicas = start.replicas?.split(',').map(fromHex) ?? [];
  const profile = { ...folder, currency: start.currency, redemptionKey: fromHex(start.redemptionKey), replicas };
  const holding = new Holding();
  const gateway = new GeneratedGateway(holding.over(fetchTransport(start.gateway)));
  const storage = await openFile(start.file, utf8(start.passphrase));
  const prove = start.module === undefined ? delegatedProofs(profile.network, fromHex(start.prover), gateway) : await ownProofsOf(start, profile);
  const services = { registration: fetchTransport(start.registration), issuance: fetchTransport(start.issuance) };
  const patience = start.patience === undefined ? {} : { patience: Number(start.patience) };
  const host = { gateway, storage, prove, ...services, ...patience, mailboxDelay: 200 };
  const isNew = start.words !== undefined || start.create !== undefined;
  return { wallet: await (isNew ? Wallet.create(profile, host, start.words) : Wallet.open(profile, host)), network: profile.network, holding };
}

async function answer({ wallet, network, holding }: Opened, call: Call): Promise<unknown> {
  switch (call.call) {
    case 'hold':
      holding.on = true;
      return {};
    case 'release':
      holding.on = false;
      return { request: holding.request };
    case 'words':
      return { words: wallet.words };
    case 'register':
      return wallet.register(call.person);
    case 'collectRegistration':
      return wallet.collectRegistration();
    case 'requestMint':
      return wallet.requestMint(call.funding, call.token, BigInt(call.amount));
    case 'collectMint':
      return wallet.collectMint(call.id);
    case 'withdraw':
      return wallet.withdraw(BigInt(call.amount), call.payout);
    case 'restore':
      return wallet.restore();
    case 'receive':
      return wallet.receive();
    case 'claim':
      return (await wallet.claim()) ?? {};
    case 'settle':
      return wallet.settle();
    case 'recover':
      return wallet.recover();
    case 'balance':
      return { ...wallet.balance, address: wallet.address, inFlight: wallet.inFlight, locked: wallet.locked };
    case 'mail':
      return wallet.mail;
    case 'payRequest':
      return wallet.payRequest(readRequest(network, call.request).request);
    case 'pay':
      return wallet.pay(call.to, BigInt(call.amount), call.text);
  }
}

const say = (value: unknown): void => console.log(JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? v.toString() : v)));

let opened: Opened | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  try {
    if (opened === undefined) {
      opened = await open(JSON.parse(line) as Start);
      say({ ok: {} });
    } else {
      say({ ok: (await answer(opened, JSON.parse(line) as Call)) ?? {} });
    }
  } catch (e) {
    say(e instanceof Refusal ? { error: e.reason, detail: e.message } : { error: 'internal', detail: e instanceof Error ? e.stack : String(e) });
  }
}
