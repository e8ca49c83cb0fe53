import { base64urlnopad } from '@scure/base';
import { sized, type Bytes } from './bytes.js';
import { decodeApk, decodeField, encodeField } from './field.js';
import { decodeG1, encodeG1, type G1 } from './groups.js';
import { decodeKeyPoint, encodeKeyPoint, type KeyPoint } from './jubjub.js';
import { demand, Refusal, wellFormed, type Reason } from './refusal.js';

// JSON whose numbers are integers up to 2^63 - 1, which a number of JavaScript cannot hold (F-15).

export type Json = string | bigint | boolean | null | readonly Json[] | ReadonlyMap<string, Json>;

const NUMBER_LIMIT = 1n << 63n;

/** Entries of a list and bytes of a text that services take, and those that wallets take of a reply. */
const LIMITS = { refused: { list: 128, text: 65_536 }, ignored: { list: 1024, text: 1 << 20 } } as const;

/** White space, then: punctuation, a text, a number, a word, anything else, or the end. */
const TOKEN = new RegExp(
  '[ \\t\\n\\r]*(?:' +
    '([{}[\\],:])|' +
    '("(?:[^"\\\\\\u0000-\\u001f]|\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4}))*")|' +
    '(0|[1-9][0-9]*)|' +
    '(true|false|null)|' +
    '([^ \\t\\n\\r])|$)',
  'gu',
);

const bad = (detail: string): never => demand(false, 'malformed-request', detail) as never;

/** Whether values differ from one another. */
export const distinct = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

/** A codec whose values satisfy one more condition. */
export const checked = <T>(codec: Codec<T>, condition: (value: T) => boolean, detail: string): Codec<T> => {
  const check = (value: T): T => (condition(value) ? value : bad(detail));
  return { write: (value) => codec.write(check(value)), read: (json, unknown) => check(codec.read(json, unknown)) };
};

/** Reads one JSON value. Numbers are digits only; no member may be repeated. */
export function parseJson(text: string, limit: number = LIMITS.refused.text): Json {
  demand(new TextEncoder().encode(text).length <= limit, 'malformed-request', `more than ${limit} bytes`);
  const tokens = text.matchAll(TOKEN);
  const next = (): string => {
    const match = tokens.next().value ?? bad('no end');
    return match[5] === undefined ? (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '') : bad(`unexpected ${match[5]}`);
  };
  const value = parseValue(next(), next);
  demand(next() === '', 'malformed-request', 'text behind the value');
  return value;
}

function parseValue(token: string, next: () => string): Json {
  if (token === '{') return parseObject(next);
  if (token === '[') return parseList(next);
  if (token.startsWith('"')) return JSON.parse(token) as string;
  if (/^[0-9]/.test(token)) return BigInt(token);
  if (token === 'null') return null;
  return token === 'true' || (token === 'false' ? false : bad(`unexpected ${token}`));
}

function parseObject(next: () => string): Json {
  const members = new Map<string, Json>();
  let token = next();
  if (token === '}') return members;
  for (;;) {
    demand(token.startsWith('"'), 'malformed-request', 'not the name of a member');
    const name = JSON.parse(token) as string;
    demand(!members.has(name), 'malformed-request', `the member ${name} is repeated`);
    demand(next() === ':', 'malformed-request', 'no colon');
    members.set(name, parseValue(next(), next));
    const end = next();
    if (end === '}') return members;
    demand(end === ',', 'malformed-request', 'no comma');
    token = next();
  }
}

function parseList(next: () => string): Json {
  const entries: Json[] = [];
  let token = next();
  if (token === ']') return entries;
  for (;;) {
    entries.push(parseValue(token, next));
    const end = next();
    if (end === ']') return entries;
    demand(end === ',', 'malformed-request', 'no comma');
    token = next();
  }
}

/** Writes a value without white space. */
export function writeJson(json: Json): string {
  if (Array.isArray(json)) return `[${json.map(writeJson).join(',')}]`;
  if (json instanceof Map) return `{${[...(json as Map<string, Json>)].map(([name, v]) => `${JSON.stringify(name)}:${writeJson(v)}`).join(',')}}`;
  return typeof json === 'bigint' ? json.toString() : JSON.stringify(json);
}

/** Whether members that nobody knows are refused, as services do, or ignored, as wallets do with replies. */
export type Unknown = keyof typeof LIMITS;

/** How many bytes of a text are read. */
export const textLimit = (unknown: Unknown): number => LIMITS[unknown].text;

/** How a value is written and read. */
export interface Codec<T> {
  write(value: T): Json;
  read(json: Json, unknown: Unknown): T;
  /** Whether an object may leave the member out. */
  readonly mayBeMissing?: true;
}

export type Of<C> = C extends Codec<infer T> ? T : never;

export const text: Codec<string> = {
  write: (value) => value,
  read: (json) => (typeof json === 'string' ? json : bad('not a text')),
};

/** An integer below a limit. */
export const below = (limit: bigint): Codec<bigint> => {
  const check = (value: bigint): bigint => {
    demand(value >= 0n && value < limit, 'malformed-request', `a number is not below ${limit}`);
    return value;
  };
  return { write: check, read: (json) => (typeof json === 'bigint' ? check(json) : bad('not a number')) };
};

/** An amount, a time or a version. */
export const number = below(NUMBER_LIMIT);

/** A small number. */
export const small = below(1n << 31n);

/** Bytes of any length, in base64url. */
export const anyBytes: Codec<Bytes> = {
  write: (value) => base64urlnopad.encode(value),
  read: (json) => wellFormed(() => base64urlnopad.decode(text.read(json, 'refused'))),
};

/** A codec behind a change of representation. */
export const mapped = <A, B>(codec: Codec<A>, to: (a: A) => B, from: (b: B) => A): Codec<B> => ({
  write: (value) => codec.write(from(value)),
  read: (json, unknown) => wellFormed(() => to(codec.read(json, unknown))),
});

/** As 0 or 1, in what only this wallet writes. */
export const flag: Codec<boolean> = mapped(below(2n), (bit) => bit === 1n, (value) => (value ? 1n : 0n));
export const bytes = (length: number): Codec<Bytes> => mapped(anyBytes, (b) => sized(b, length, 'a member'), (b) => sized(b, length, 'a member'));
export const field: Codec<bigint> = mapped(anyBytes, decodeField, encodeField);
export const apk: Codec<bigint> = mapped(anyBytes, decodeApk, encodeField);

/** The faults of a point that have codes of their own. */
const POINT_FAULTS: Readonly<Partial<Record<Reason, Reason>>> = {
  IDENTITY_POINT: 'identity-point',
  POINT_NOT_ON_CURVE: 'point-not-on-curve',
  POINT_NOT_IN_SUBGROUP: 'point-not-in-subgroup',
};

const points = <P>(decode: (bytes: Bytes) => P, encode: (point: P) => Bytes): Codec<P> => ({
  write: (value) => anyBytes.write(encode(value)),
  read: (json, unknown) => {
    const encoded = anyBytes.read(json, unknown);
    try {
      return decode(encoded);
    } catch (e) {
      return demand(false, (e instanceof Refusal && POINT_FAULTS[e.reason]) || 'malformed-request', 'not a point') as never;
    }
  },
});

export const point: Codec<G1> = points(decodeG1, encodeG1);
export const keyPoint: Codec<KeyPoint> = points(decodeKeyPoint, encodeKeyPoint);

/** A list, of a given length or of not too many entries. */
export const list = <T>(codec: Codec<T>, length?: number): Codec<readonly T[]> => {
  const check = (n: number, limit: number): void =>
    demand(length === undefined ? n <= limit : n === length, 'malformed-request', `a list has ${n} entries`);
  return {
    write: (value) => {
      check(value.length, LIMITS.refused.list);
      return value.map((v) => codec.write(v));
    },
    read: (json, unknown) => {
      if (!Array.isArray(json)) return bad('not a list');
      check(json.length, LIMITS[unknown].list);
      return (json as Json[]).map((v) => codec.read(v, unknown));
    },
  };
};

/** The readable entries of a list: one that is not counts as none. */
export const readable = <T>(codec: Codec<T>): Codec<readonly T[]> => ({
  write: (value) => value.map((v) => codec.write(v)),
  read: (json, unknown) => {
    if (!Array.isArray(json) || json.length > LIMITS[unknown].list) return bad('not a list, or too long');
    return (json as Json[]).flatMap((entry) => {
      try {
        return [codec.read(entry, unknown)];
      } catch (e) {
        if (e instanceof Refusal) return [];
        throw e;
      }
    });
  },
});

/** A list of any length, in what only this wallet writes. */
export const unbounded = <T>(codec: Codec<T>): Codec<readonly T[]> => ({
  write: (value) => value.map((v) => codec.write(v)),
  read: (json, unknown) => (Array.isArray(json) ? (json as Json[]).map((v) => codec.read(v, unknown)) : bad('not a list')),
});

/** A member that may be left out. */
export const optional = <T>(codec: Codec<T>): Codec<T | undefined> => ({
  write: (value) => codec.write(value as T),
  read: (json, unknown) => codec.read(json, unknown),
  mayBeMissing: true,
});

type Members<M> = { readonly [name in keyof M]: Of<M[name]> };

/** An object with the members of a table, written in its order. */
export function object<M extends Record<string, Codec<any>>>(members: M): Codec<Members<M>> {
  const codecs = Object.entries(members) as unknown as [string, Codec<unknown>][];
  return {
    write: (value) => {
      const given = codecs.filter(([name]) => value[name] !== undefined);
      return new Map(given.map(([name, codec]) => [name, codec.write(value[name])]));
    },
    read: (json, unknown) => {
      if (!(json instanceof Map)) return bad('not an object');
      const names = [...(json as Map<string, Json>).keys()];
      demand(unknown === 'ignored' || names.every((name) => Object.hasOwn(members, name)), 'malformed-request', 'an unknown member');
      const read = codecs.map(([name, codec]) => {
        const given = json.get(name) as Json | undefined;
        const value = given === null && unknown === 'ignored' ? undefined : given;
        if (value === undefined) return codec.mayBeMissing ? [] : bad(`the member ${name} is missing`);
        return [[name, codec.read(value, unknown)]];
      });
      return Object.fromEntries(read.flat()) as Members<M>;
    },
  };
}
