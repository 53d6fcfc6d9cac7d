import { Injectable } from '@nestjs/common';
import { defineHook, HookRegistry } from '@platform/hooks';
import { type EventType } from '../event-types';
import { type EventRecord } from '../schemas/event.record';

/** Work that a higher domain derives from events: daily figures, webhook deliveries. */
export interface EventSubscriber {
  /** Name for the log. */
  readonly name: string;
  /** Types of the events that it receives. */
  readonly types: ReadonlySet<EventType>;
  /**
   * Writes what follows from the events, in the transaction that removes them from the outbox: each event is handled exactly
   * once, even after a crash. The events are of one workspace, in the order of recording unless one was deferred. The call can
   * be repeated, so it writes to the database only. If it throws, the event is postponed for all subscribers.
   */
  handle(events: readonly EventRecord[]): Promise<void>;
  /**
   * The transaction was committed: time to schedule the worker of what was written, such as a queue. It is not called
   * if the process crashes in between, so a sweep must find the work without it.
   */
  afterCommit?(events: readonly EventRecord[]): Promise<void>;
}

/** The domains that derive work from events. */
export const EVENT_SUBSCRIBERS = defineHook<EventSubscriber>('events', { key: 'name' });

/** Passes events to the subscribers of their types. */
@Injectable()
export class EventSubscriberRegistry {
  constructor(private readonly hooks: HookRegistry) {}

  /** Runs in the current transaction and one after the other: a transaction takes no concurrent calls. */
  async handle(events: readonly EventRecord[]): Promise<void> {
    for (const [subscriber, matching] of this.#selectFor(events)) await subscriber.handle(matching);
  }

  async afterCommit(events: readonly EventRecord[]): Promise<void> {
    for (const [subscriber, matching] of this.#selectFor(events)) await subscriber.afterCommit?.(matching);
  }

  #selectFor(events: readonly EventRecord[]): [EventSubscriber, EventRecord[]][] {
    return this.hooks.list(EVENT_SUBSCRIBERS).flatMap((subscriber) => {
      const matching = events.filter(({ type }) => subscriber.types.has(type));
      return matching.length === 0 ? [] : [[subscriber, matching] as [EventSubscriber, EventRecord[]]];
    });
  }
}
