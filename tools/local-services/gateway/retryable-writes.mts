import { CommandError } from './errors.mts';
import type { Reply } from './handler.mts';

/** The lifetime of an unused session. */
const REMEMBERED_MS = 30 * 60_000;
/** Longer replies (documents of findAndModify) are left to the cache of DocumentDB. */
const LONGEST_KEPT = 64 * 1024;

interface LatestWrite {
  number: bigint;
  reply: Promise<Reply>;
  at: number;
}

/**
 * The reply to the latest retryable write of each session. A driver that lost its connection repeats the write,
 * perhaps while the first one is still running: it must get the first reply and have no second effect. DocumentDB
 * remembers only commands with one operation.
 */
export class RetryableWrites {
  readonly #latest = new Map<string, LatestWrite>();
  #swept = Date.now();

  run(sessionKey: string, number: bigint, execute: () => Promise<Reply>): Promise<Reply> {
    const known = this.#latest.get(sessionKey);
    if (known?.number === number) return known.reply;
    if (known && known.number > number) {
      const text = `Retryable write with txnNumber ${number} is prohibited: a newer one, ${known.number}, has already started`;
      return Promise.reject(new CommandError(225, 'TransactionTooOld', text));
    }
    const write: LatestWrite = { number, reply: execute(), at: Date.now() };
    this.#latest.set(sessionKey, write);
    const forget = (): void => {
      if (this.#latest.get(sessionKey) === write) this.#latest.delete(sessionKey);
    };
    // A write that failed as a whole had no effect: the next attempt counts as the first.
    write.reply.then((reply) => Buffer.isBuffer(reply) && reply.length > LONGEST_KEPT && forget(), forget);
    this.#sweep();
    return write.reply;
  }

  forget(sessionKey: string): void {
    this.#latest.delete(sessionKey);
  }

  #sweep(): void {
    const now = Date.now();
    if (now - this.#swept < 60_000) return;
    this.#swept = now;
    for (const [key, { at }] of this.#latest) if (now - at > REMEMBERED_MS) this.#latest.delete(key);
  }
}
