import { sha256 } from '@noble/hashes/sha2.js';
import { at, concat, equal, toHex, type Bytes } from './bytes.js';
import { reads } from './bucket.js';
import { headerOf, MOST_WAITING, without, type MailPlace, type Waiting } from './mail-place.js';
import type { Network } from './network.js';
import { parseNote, signedBy, type MailboxReplicas, type NoteKey } from './notes.js';
import { sealQuery, type MailAnswer, type SealedShare } from './query.js';
import { randomBelow } from './random.js';
import { demand, Refusal, refusedAs } from './refusal.js';
import { bitBytes, bitOf, splitQuery, sumOf } from './retrieval.js';
import {
  HEADER,
  readHeaders,
  readList,
  readRecords,
  rootOf,
  sameState,
  stateAfter,
  stateIn,
  type MailList,
  type MailRecord,
  type MailState,
  type MailTable,
} from './tables.js';

// Reads a wallet's mail so that no gateway, and no f authorities beside it, learn which messages are the wallet's (W-36). It reads the
// headers of its bucket, which every wallet of the bucket does, and asks f + 1 authorities for bodies, whether or not there is mail.

/** The routes of private queries (F-52 to F-55). Whoever calls verifies every answer. */
export interface MailServer {
  /** The newest list, with signatures. */
  mailNote(): Promise<string>;
  mailHeaders(node: number, after: bigint, upto: bigint): Promise<Bytes>;
  mailRecords(node: number, after: bigint, upto: bigint): Promise<Bytes>;
  /** What became of the shares, in any order. */
  mailQuery(shares: readonly SealedShare[]): Promise<readonly MailAnswer[]>;
}

/** What a wallet recognises its messages by. */
export interface MailKeys {
  /** Whether each header is that of a message for this wallet, or of one in 65,536 others. What that takes does not depend on which are. */
  detect(headers: readonly Bytes[]): Promise<readonly boolean[]>;
  /** Whether a message opens. */
  opens(blob: Bytes): boolean;
}

/** SHA-256 of what the wallet posted, in hexadecimal, by the name of its header. */
export type Posted = ReadonlyMap<string, string>;

/** What a reading brought. */
export interface Reading {
  readonly place: MailPlace;
  /** Those of the messages that were read whole that may be this wallet's, or that it posted. */
  readonly kept: readonly Bytes[];
  /**
   * Headers of messages that wait no longer although no body of theirs was read: they are in tables, and no query reaches them. Not those
   * under which queries brought other bodies than this wallet posted.
   */
  readonly overdue: ReadonlySet<string>;
}

/** What queries brought, unopened. */
export interface Asked {
  /** Without the messages that were asked for. */
  readonly place: MailPlace;
  readonly came: readonly (readonly [Waiting, Bytes])[];
  readonly failed: readonly Waiting[];
}

/** The place after queries, and the messages that they brought. */
export interface Bodies {
  readonly place: MailPlace;
  readonly blobs: readonly Bytes[];
}

/** An older list is none: replicas do not answer for it, and newer mail would be withheld. */
export const LONGEST_AGE = 3_600;
const DAY = 86_400n;
const HIGHEST = 127;
const BLOB = 1200;
/** Of the headers of one node in a reading: 90 days have 281 among two million messages a day. */
const MAX_PAGES = 1_000;
/** As many as a gateway puts into the tables of one time. */
const MAX_RECORDS = 65_536;

const MISBEHAVED = 'the headers are not those of the list';

const later = (time: bigint): bigint => (time > 0n ? time : 0n);

/** A table whose headers were read; which of its records may be this wallet's. */
interface Found {
  readonly table: MailTable;
  readonly before: MailState;
  readonly after: MailState;
  readonly own: readonly Waiting[];
}

/** The replicas of a gateway's mailbox, of what the signed services say; none where the network has none (F-64). */
export function replicasOf(groups: readonly MailboxReplicas[] | undefined, gateway: string): readonly Bytes[] {
  const [first, ...others] = groups ?? [];
  const own = others.length === 0 ? first : groups?.find(({ gateways }) => gateways.includes(gateway));
  demand(first === undefined || own !== undefined, 'manifest-untrusted', 'the services name no replicas of this gateway’s mailbox');
  return own?.keys ?? [];
}

export class PrivateMailbox {
  readonly #network: Network;
  readonly #server: MailServer;
  /** 64 bytes for each authority. */
  readonly #replicas: readonly Bytes[];
  readonly #bucket: number;
  readonly #keys: MailKeys;
  readonly #f: number;

  /** @param replicas of all 3f + 1 authorities, in their order (F-64) */
  constructor(network: Network, server: MailServer, replicas: readonly Bytes[], bucket: number, keys: MailKeys) {
    demand(replicas.length >= 4 && replicas.length % 3 === 1, 'manifest-untrusted', 'replicas are those of 3f+1 authorities');
    this.#network = network;
    this.#server = server;
    this.#replicas = replicas;
    this.#bucket = bucket;
    this.#keys = keys;
    this.#f = (replicas.length - 1) / 3;
  }

  /**
   * The newest list of tables (W-38). Refuses with `mailbox-stale` one that is older than an hour, and none: then somebody withholds newer
   * ones, too few authorities sign, or this machine's clock is wrong.
   *
   * @param now milliseconds since 1970
   */
  async newest(now: number): Promise<MailList> {
    let note: string;
    try {
      note = await this.#server.mailNote();
    } catch (e) {
      if (!(e instanceof Refusal) || e.reason !== 'not-found') throw e;
      throw new Refusal('mailbox-stale', 'the gateway has no signed list of the mailbox’s tables');
    }
    const list = refusedAs('gateway-misbehaved', () => this.#signed(note));
    const fresh = Number(list.closed) * 1_000 >= now - LONGEST_AGE * 1_000;
    demand(fresh, 'mailbox-stale', 'the newest signed list of the mailbox’s tables is more than an hour old: what came later may be withheld');
    return list;
  }

  #signed(text: string): MailList {
    const note = parseNote(text);
    const signers = this.#replicas.map((keys, i): NoteKey => ({ name: `solidus-replica-${i + 1}`, key: keys.subarray(32) }));
    const valid = signers.filter((key) => signedBy(note, key)).length;
    demand(valid >= 2 * this.#f + 1, 'gateway-misbehaved', 'a list of mail tables has too few signatures');
    return readList(this.#network, note.text);
  }

  /**
   * The place of a wallet that took a list and then read the mailbox whole. Nothing waits there: what is in the list's tables was read, maybe
   * by an earlier process, and to ask for it again would take the queries of days.
   */
  async begin(list: MailList): Promise<MailPlace> {
    const nothing: MailPlace = { bucket: this.#bucket, list, tables: [], waiting: [], overdue: 0, number: 0n };
    return nextPlace(nothing, list, await this.#beginOf(this.#bucket, list, new Map()), list.closed);
  }

  /** The tables of a node of the last day, for a reader who knows none before. */
  async #beginOf(node: number, list: MailList, posted: Posted): Promise<readonly Found[]> {
    const found = await this.#chain(node, list, later(list.closed - DAY), undefined, posted);
    demand(found !== undefined, 'gateway-misbehaved', MISBEHAVED);
    return found;
  }

  /**
   * Reads what is in tables since a place: headers, and whole messages where no query reaches them. Nothing when the list does not continue
   * that of the place: the mailbox came back from a backup, and what the wallet posted may be lost.
   */
  async read(place: MailPlace, list: MailList, posted: Posted): Promise<Reading | undefined> {
    if (place.bucket !== this.#bucket || isSetBack(place.list, list)) return undefined;
    if (list.closed <= place.list.closed) return { place, kept: [], overdue: new Set() };
    const kept: Bytes[] = [];
    const overdue = new Set<string>();
    let next = place;
    for (let node = 1; node <= HIGHEST; node++) {
      if (!reads(this.#bucket, node)) continue;
      const own = node === this.#bucket;
      const found = await this.#since(place, node, list, posted);
      if (found === undefined) {
        // the gateway may have shown what is not the list's
        const today = await this.#beginOf(node, list, posted);
        const shown = place.list.closed >= list.closed - DAY && continues(today, stateIn(list, node), stateIn(place.list, node));
        demand(!shown, 'gateway-misbehaved', MISBEHAVED);
        return undefined;
      }
      const upto = own ? list.closed - DAY : list.closed;
      kept.push(...(await this.#whole(node, list, found, upto, posted)));
      if (own) {
        const known = [...next.waiting, ...found.flatMap((table) => table.own)];
        for (const { header, replaced } of known) if (replaced !== true) overdue.add(header);
        next = nextPlace(next, list, found, upto);
      } else {
        next = reached(next, found);
      }
    }
    for (const { header } of next.waiting) overdue.delete(header);
    for (const blob of kept) overdue.delete(headerOf(blob));
    return { place: next, kept, overdue };
  }

  /**
   * The tables of a node since a place, if they continue it. A wallet that slept for more than a day gets those of its bucket of the day
   * before as well: what waited there can be read whole only, and is, whether or not anything waited.
   */
  async #since(place: MailPlace, node: number, list: MailList, posted: Posted): Promise<readonly Found[] | undefined> {
    const after = place.list.closed;
    const known = stateIn(place.list, node);
    if (node !== this.#bucket || list.closed - after <= DAY) return this.#chain(node, list, after, known, posted);
    const found = await this.#chain(node, list, later(after - DAY), undefined, posted);
    return found !== undefined && continues(found, stateIn(list, node), known) ? found : undefined;
  }

  /**
   * The tables of a node after a time, if they lead from one state to that of the list.
   *
   * @param known the state at that time; a wallet that has none begins with what it is shown: the list's state names all tables of the day
   */
  async #chain(node: number, list: MailList, after: bigint, known: MailState | undefined, posted: Posted): Promise<readonly Found[] | undefined> {
    const wanted = stateIn(list, node);
    if (known !== undefined && sameState(wanted, known)) return [];
    const found: Found[] = [];
    let [reachedTo, state] = [after, known];
    for (let pages = 0; reachedTo < list.closed; pages++) {
      demand(pages < MAX_PAGES, 'gateway-misbehaved', 'the headers do not end');
      const bytes = await this.#server.mailHeaders(node, reachedTo, list.closed);
      const page = refusedAs('gateway-misbehaved', () => readHeaders(bytes));
      demand(page.reached > reachedTo && page.reached <= list.closed, 'gateway-misbehaved', 'a page of headers does not go on');
      for (const { shown, ...read } of page.tables) {
        demand(read.closed > reachedTo && read.closed <= page.reached, 'gateway-misbehaved', 'a page of headers has other tables');
        reachedTo = read.closed;
        const table = { ...read, headers: sha256(shown) };
        if (state === undefined) {
          state = page.before;
          if (state.closed > after) return undefined; // the first tables are left out, or have expired
        }
        const before: MailState = state;
        state = refusedAs('gateway-misbehaved', () => stateAfter(before, node, table));
        found.push({ table, before, after: state, own: await this.#own(read.closed, shown, posted) });
      }
      reachedTo = page.reached;
    }
    const right = state === undefined ? wanted.closed <= after : sameState(state, wanted);
    return right ? found : undefined;
  }

  async #own(closed: bigint, shown: Bytes, posted: Posted): Promise<Waiting[]> {
    const headers = Array.from({ length: shown.length / HEADER }, (_, record) => shown.subarray(record * HEADER, (record + 1) * HEADER));
    const wanted = await this.#wanted(headers, posted);
    return wanted.flatMap((name, record) => (name === undefined ? [] : [{ closed, record, header: name }]));
  }

  /** The names of the headers that may be this wallet's, or that it posted; undefined for the others. */
  async #wanted(headers: readonly Bytes[], posted: Posted): Promise<(string | undefined)[]> {
    const detected = await this.#keys.detect(headers);
    return headers.map((header, i) => {
      const name = headerOf(header);
      return detected[i] === true || posted.has(name) ? name : undefined;
    });
  }

  /** The wanted messages of all tables up to a time, which are read whole, whether or not there is any. */
  async #whole(node: number, list: MailList, found: readonly Found[], upto: bigint, posted: Posted): Promise<Bytes[]> {
    const tables = found.map(({ table }) => table).filter(({ closed }) => closed <= upto);
    const kept: Bytes[] = [];
    let after = (tables[0]?.first ?? 0n) - 1n;
    let page: MailRecord[] = [];
    for (const table of tables) {
      demand(table.records <= MAX_RECORDS, 'gateway-misbehaved', 'a table of mail is too long');
      const blobs: Bytes[] = [];
      while (blobs.length < table.records) {
        if (page.length === 0) {
          const bytes = await this.#server.mailRecords(node, after, list.closed);
          page = refusedAs('gateway-misbehaved', () => readRecords(bytes));
          demand(page.length > 0, 'gateway-misbehaved', 'a table has fewer messages than its list says');
        }
        const { number, blob } = page.shift() as MailRecord;
        const follows = number > after && (blobs.length > 0 || number === table.first);
        demand(follows, 'gateway-misbehaved', 'the messages of a table are out of their order');
        after = number;
        blobs.push(blob);
      }
      const headers = sha256(concat(...blobs.map((blob) => blob.subarray(0, HEADER))));
      const same = equal(headers, table.headers) && equal(rootOf(blobs), table.root);
      demand(same, 'gateway-misbehaved', 'the messages of a table are not those of its list');
      const wanted = await this.#wanted(blobs.map((blob) => blob.subarray(0, HEADER)), posted);
      kept.push(...blobs.filter((_, i) => wanted[i] !== undefined));
    }
    return kept;
  }

  /**
   * Makes queries. Each asks for the oldest waiting message, or for a random one.
   *
   * @param queries how many, as the schedule says (W-37)
   */
  async ask(place: MailPlace, queries: number): Promise<Asked> {
    const waiting = [...place.waiting];
    const failed: Waiting[] = [];
    const came: (readonly [Waiting, Bytes])[] = [];
    for (let i = 0; i < queries && place.tables.length > 0; i++) {
      const wanted = waiting.shift();
      const asked = wanted ?? anyOf(place);
      const blob = await this.#ask(place, asked);
      const right = blob !== undefined && headerOf(blob) === asked.header;
      if (wanted === undefined) continue;
      if (blob !== undefined && right) came.push([wanted, blob]);
      else failed.push(wanted);
    }
    return { place: { ...place, waiting }, came, failed };
  }

  /**
   * Opens what queries brought, behind the last request of a reading: that takes time which depends on what is the wallet's, and the gateway
   * sees when each request comes.
   */
  open({ place, came, failed }: Asked, posted: Posted): Bodies {
    const blobs: Bytes[] = [];
    const again = [...failed];
    for (const [wanted, blob] of came) {
      const sent = posted.get(wanted.header);
      if (sent === toHex(sha256(blob)) || this.#keys.opens(blob)) blobs.push(blob);
      else again.push(sent === undefined ? wanted : { ...wanted, replaced: true }); // or it is no message of this wallet
    }
    // a message that was posted twice is in tables twice
    return { place: without({ ...place, waiting: [...place.waiting, ...again] }, new Set(blobs.map(headerOf))), blobs };
  }

  /** One query; nothing when an answer is missing or cannot be read, which shows nothing of the record. */
  async #ask(place: MailPlace, { closed, record }: Waiting): Promise<Bytes | undefined> {
    const records = place.tables.map((table) => table.records);
    const bit = bitOf(records, place.tables.findIndex((table) => table.closed === closed), record);
    const shares = splitQuery(bit, bitBytes(records), this.#f + 1);
    const { list, bucket } = place;
    const tables = { bucket, after: later(list.closed - DAY), upto: list.closed, state: stateIn(list, bucket).digest };
    const drawn = shuffled(this.#replicas.map((_, i) => i + 1));
    const asked = shares.map((share, i) => {
      const authority = at(drawn, i);
      return sealQuery(this.#network, at(this.#replicas, authority - 1).subarray(0, 32), authority, { ...tables, share });
    });
    try {
      const answers = await this.#server.mailQuery(asked.map(({ sent }) => sent));
      const opened = asked.map(({ sent, open }) => {
        const answer = answers.find(({ authority }) => authority === sent.authority)?.sealedAnswer;
        demand(answer !== undefined, 'unavailable', 'an authority has not answered');
        return open(answer);
      });
      return sumOf(opened, BLOB);
    } catch (e) {
      if (e instanceof Refusal) return undefined;
      throw e;
    }
  }
}

/** Whether a list cannot come after another one. That of any node tells: a mailbox may have lost messages of other buckets only. */
function isSetBack(before: MailList, list: MailList): boolean {
  return (
    list.closed >= before.closed &&
    [...before.states].some(([node, then]) => {
      const now = stateIn(list, node);
      return now.closed < then.closed || (now.closed === then.closed && !sameState(now, then));
    })
  );
}

/** Whether tables that lead to a state go on from a known one. */
function continues(found: readonly Found[], state: MailState, known: MailState): boolean {
  const [first] = found;
  if (first === undefined) return sameState(state, known);
  return sameState(first.before, known) || found.some(({ after }) => sameState(after, known));
}

/**
 * The place after tables of the wallet's bucket. What waited in those that were read whole waits no longer.
 *
 * @param whole tables up to this time were read whole: nothing of them waits
 */
function nextPlace(place: MailPlace, list: MailList, found: readonly Found[], whole: bigint): MailPlace {
  const day = list.closed - DAY;
  const from = found[0]?.table.closed;
  const isKept = ({ closed }: { readonly closed: bigint }): boolean => from === undefined || closed < from;
  const tables = [...place.tables.filter(isKept), ...found.map(({ table: { closed, records } }) => ({ closed, records }))];
  const waiting = [...place.waiting.filter(isKept), ...found.filter(({ table }) => table.closed > whole).flatMap(({ own }) => own)];
  const left = new Set(waiting.filter(({ closed }) => closed > day).slice(0, MOST_WAITING));
  const late = waiting.filter((one) => !left.has(one) && one.replaced !== true); // a replaced one is posted again
  const next = { ...place, list, tables: tables.filter(({ closed }) => closed > day), waiting: [...left], overdue: place.overdue + late.length };
  return reached(next, found);
}

function reached(place: MailPlace, found: readonly Found[]): MailPlace {
  const number = found.reduce((highest, { table: { first } }) => (first > highest ? first : highest), place.number);
  return { ...place, number };
}

/** A random record of the last day. */
function anyOf(place: MailPlace): Waiting {
  let record = randomBelow(place.tables.reduce((sum, table) => sum + table.records, 0) - 1);
  for (const { closed, records } of place.tables) {
    if (record < records) return { closed, record, header: '' };
    record -= records;
  }
  throw new Refusal('OUT_OF_RANGE', 'a random record is of some table');
}

function shuffled<T>(values: readonly T[]): T[] {
  const order = [...values];
  for (let i = order.length - 1; i > 0; i--) {
    const j = randomBelow(i);
    [order[i], order[j]] = [order[j] as T, order[i] as T];
  }
  return order;
}

