import { concat, type Bytes } from './bytes.js';
import { demand, Refusal, serviceCode, type Reason } from './refusal.js';
import type { Codec } from './json.js';
import { problem, readBody } from './messages.js';
import { fromUtf8 } from './text.js';

/** One exchange with a service. */
export interface Exchange {
  readonly method: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many bytes of the answer are read. */
  readonly limit: number;
}

export interface Answer {
  readonly status: number;
  readonly body: Bytes;
}

/** Carries bytes to one service. A host with pinned certificates or Tor brings its own. */
export type Transport = (exchange: Exchange) => Promise<Answer>;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The transport of the platform's fetch. Plain HTTP is for services on this machine. It does not compare certificates with
 * `tls-keys` (W-11), which fetch does not show.
 *
 * @param timeout for an exchange with the body of its answer, in milliseconds
 * @param always headers of every exchange
 */
export function fetchTransport(base: string, timeout = 30_000, always: Readonly<Record<string, string>> = {}): Transport {
  const url = new URL(base);
  demand(url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname)), 'insecure-address', 'a service without HTTPS');
  return async ({ method, path, body, headers, limit }) => {
    try {
      const response = await fetch(new URL(path, url), {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
        headers: { ...always, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, body: await limited(response, limit) };
    } catch (e) {
      if (e instanceof Refusal) throw e;
      throw new Refusal('gateway-unreachable', e instanceof Error ? e.name : 'no answer');
    }
  };
}

async function limited(response: Response, limit: number): Promise<Bytes> {
  const parts: Bytes[] = [];
  const reader = response.body?.getReader();
  let read = 0;
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return concat(...parts);
    read += part.value.length;
    if (read > limit) {
      await reader?.cancel();
      throw new Refusal('gateway-misbehaved', `an answer of more than ${limit} bytes`);
    }
    parts.push(part.value);
  }
}

/** The body of an answer. A refusal has the code that the service gives, if it is known. */
export function accepted({ status, body }: Answer): Bytes {
  if (status >= 200 && status < 300) return body;
  const { code, detail } = problemOf(body);
  throw new Refusal(code ?? unnamed(status), detail ?? `status ${status}`);
}

const JSON_LIMIT = 1 << 20;

/** What a service answers. An answer that cannot be read is the service's fault. */
export async function ask<T>(transport: Transport, codec: Codec<T>, exchange: Omit<Exchange, 'limit'>, limit = JSON_LIMIT): Promise<T> {
  const body = accepted(await transport({ ...exchange, limit }));
  try {
    return readBody(codec, fromUtf8(body), 'ignored', limit);
  } catch (e) {
    throw new Refusal('gateway-misbehaved', e instanceof Error ? e.message : 'an answer that cannot be read');
  }
}

const unnamed = (status: number): Reason => (status === 429 ? 'overloaded' : status >= 500 ? 'unavailable' : 'gateway-misbehaved');

function problemOf(body: Bytes): { code?: Reason | undefined; detail?: string | undefined } {
  try {
    const { code, detail } = readBody(problem, fromUtf8(body), 'ignored');
    return { code: serviceCode(code ?? ''), detail };
  } catch {
    return {};
  }
}
