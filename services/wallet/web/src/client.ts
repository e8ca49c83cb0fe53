import type { Measure } from './downloads.js';
import type { Call, Calls, Failure, FromWorker, Stage, Status } from './protocol.js';

/** A call that the wallet refused. */
export class CallFailure extends Error {
  readonly reason: string;

  constructor({ reason, detail }: Failure) {
    super(detail);
    this.reason = reason;
  }
}

interface Listener {
  stage(stage: Stage): void;
  measure(measure: Measure): void;
  status(status: Status): void;
}

interface Waiting {
  done(result: unknown): void;
  failed(e: unknown): void;
}

/** The page's side of the worker. */
export class Client {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;

  constructor(worker: Worker, listener: Listener) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(data, listener);
    worker.onerror = () => {
      this.#waiting.forEach(({ failed }) => failed(new CallFailure({ reason: 'internal', detail: 'the worker broke' })));
      this.#waiting.clear();
    };
  }

  call<K extends keyof Calls>(name: K, ...args: Parameters<Calls[K]>): Promise<ReturnType<Calls[K]>> {
    const id = this.#next++;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done: done as (result: unknown) => void, failed });
      this.#worker.postMessage({ id, name, args } as Call);
    });
  }

  #receive(message: FromWorker, listener: Listener): void {
    if ('stage' in message) return listener.stage(message.stage);
    if ('measure' in message) return listener.measure(message.measure);
    if ('status' in message) return listener.status(message.status);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('failure' in message) waiting?.failed(new CallFailure(message.failure));
    else waiting?.done(message.result);
  }
}
