import { isTooLate } from '../concurrency/joined-signal';
import { createMailError } from './smtp-outcomes';

interface Waiting {
  readonly admit: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** Each waiting send holds a message in memory. */
const MAX_WAITING = 500;

/** Limits concurrency; waiting callers are served in order of arrival. */
export class SendSlots {
  readonly #waiting = new Set<Waiting>();
  #free: number;
  #closed = false;

  constructor(size: number) {
    this.#free = size;
  }

  /**
   * @returns a function that releases the slot
   * @throws MailError `temporary` when closed, at the stage `busy` when the queue is full or the deadline passes; else the signal's reason
   */
  async acquire(signal: AbortSignal): Promise<() => void> {
    if (this.#closed) throw createClosedError();
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#queue(signal);
    let isReleased = false;
    return () => {
      if (!isReleased) this.#next();
      isReleased = true;
    };
  }

  close(): void {
    this.#closed = true;
    for (const { refuse } of this.#waiting) refuse(createClosedError());
  }

  async #queue(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) {
      throw createMailError(
        'temporary',
        'busy',
        `${MAX_WAITING} messages wait for a connection of this mailbox already`,
      );
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', stop);
      };
      const stop = () => waiting.refuse(isTooLate(signal) ? createBusyError() : signal.reason);
      const waiting: Waiting = {
        admit: () => (leave(), resolve()),
        refuse: (reason) => (leave(), reject(reason)),
      };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', stop);
    });
  }

  /** Passes the slot directly to the first in the queue, so that no later caller gets it first. */
  #next(): void {
    const [first] = this.#waiting;
    if (first) first.admit();
    else this.#free++;
  }
}

/** Local congestion: the server was not contacted. */
function createBusyError() {
  return createMailError(
    'temporary',
    'busy',
    'The mailbox is busy: all of its connections for sending were in use; try again',
  );
}

function createClosedError() {
  return createMailError('temporary', 'connect', 'The mailbox was closed');
}
