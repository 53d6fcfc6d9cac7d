import { Injectable } from '@nestjs/common';
import { type EventType } from '../event-types';
import { type EventRecord } from '../schemas/event.record';

/** What a higher domain makes of events: figures per day, webhooks to deliver. */
export interface EventSubscriber {
  /** For the log. */
  readonly name: string;
  /** What it wants to hear of. */
  readonly types: ReadonlySet<EventType>;
  /**
   * Writes down what follows from them, in the transaction that marks them as handed on: each event is taken exactly once,
   * whatever dies when. They may be of several workspaces, and in any order. It may be run again, so it touches nothing
   * but the database; what it throws puts the event off, for all subscribers.
   */
  handle(events: readonly EventRecord[]): Promise<void>;
  /**
   * That transaction has ended well: time to wake whoever works on what was written, such as a queue. It is not called when
   * the worker dies in between: what was written has to be found without it (a sweep).
   */
  afterCommit?(events: readonly EventRecord[]): Promise<void>;
}

/** Where higher domains say at the start of the process that they want to hear of events: they are not known down here. */
@Injectable()
export class EventSubscriberRegistry {
  readonly #subscribers = new Set<EventSubscriber>();

  /** Call it once, when the module starts. */
  register(subscriber: EventSubscriber): void {
    this.#subscribers.add(subscriber);
  }

  /** In the running transaction, one after the other: a transaction takes no calls side by side. */
  async handle(events: readonly EventRecord[]): Promise<void> {
    for (const [subscriber, wanted] of this.#wanting(events)) await subscriber.handle(wanted);
  }

  async afterCommit(events: readonly EventRecord[]): Promise<void> {
    for (const [subscriber, wanted] of this.#wanting(events)) await subscriber.afterCommit?.(wanted);
  }

  #wanting(events: readonly EventRecord[]): [EventSubscriber, EventRecord[]][] {
    return [...this.#subscribers].flatMap((subscriber) => {
      const wanted = events.filter(({ type }) => subscriber.types.has(type));
      return wanted.length === 0 ? [] : [[subscriber, wanted] as [EventSubscriber, EventRecord[]]];
    });
  }
}
