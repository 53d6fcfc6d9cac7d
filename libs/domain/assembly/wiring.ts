import { EVENT_SUBSCRIBERS, EVENT_TYPES, type EventSubscriber } from '@domain/events';
import { type Abstract, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { listHookPoints, listListeningProviders } from '@platform/hooks';
import { getProcessorName, QUEUE_NAMES, queueTable, type QueueRow, type ScheduleInterval } from '@platform/queues';
import { periodicTasks } from './periodic-tasks';
import { sweeps } from './sweeps';

/** A listener of a hook point. */
interface ListenerEntry {
  readonly listener: string;
  readonly module: string;
  /** The kind of work that this listener does; null where all do the same. */
  readonly key: string | null;
  /** The events that a subscriber receives; null for other listeners. */
  readonly events: readonly string[] | null;
}

/** What calls what in a process without importing it. */
export interface Wiring {
  readonly hooks: readonly { readonly name: string; readonly listeners: readonly ListenerEntry[] }[];
  readonly queues: readonly (QueueRow & { readonly name: string; readonly processor: string })[];
  readonly periodicTasks: readonly {
    readonly name: string;
    readonly interval: ScheduleInterval;
    readonly service: string;
  }[];
  readonly sweeps: readonly { readonly name: string; readonly service: string }[];
}

/** @param get returns a provider of the process */
export function readWiring(get: <T>(service: Type<T> | Abstract<T>) => T): Wiring {
  const providers = listListeningProviders(get(ModulesContainer));
  return {
    hooks: listHookPoints().map((point) => ({
      name: point.name,
      listeners: providers
        .filter((provider) => provider.point === point)
        .map(({ type, module, get: getListener }) => {
          const listener = getListener();
          const key = point.key && String(listener[point.key]);
          const isSubscriber = point.name === EVENT_SUBSCRIBERS.name;
          const events = isSubscriber ? [...(listener as EventSubscriber).types].toSorted() : null;
          return { listener: type.name, module, key, events };
        }),
    })),
    queues: QUEUE_NAMES.map((name) => ({ name, processor: getProcessorName(name), ...queueTable[name] })),
    periodicTasks: periodicTasks.map(({ name, interval, service }) => ({ name, interval, service: service.name })),
    sweeps: sweeps.map((sweep) => ({ name: get(sweep).name, service: sweep.name })),
  };
}

/** The wiring as text for people. */
export function formatWiring({ hooks, queues, periodicTasks: tasks, sweeps: all }: Wiring): string {
  return [
    'Hook points: listeners in the order in which they are called',
    ...hooks.flatMap(({ name, listeners }) => ['', name, ...listeners.map(formatListener)]),
    '',
    'Queues: processor, jobs at the same time in a worker, attempts, timeout of one',
    '',
    ...toColumns(
      queues.map(({ name, processor, concurrency, attempts, timeoutMs }) => [
        name,
        processor,
        String(concurrency),
        String(attempts),
        `${timeoutMs / 1000} s`,
      ]),
    ),
    '',
    'Periodic tasks: interval, service',
    '',
    ...toColumns(tasks.map(({ name, interval, service }) => [name, formatInterval(interval), service])),
    '',
    'Sweeps: service that finds due work without a job',
    '',
    ...toColumns(all.map(({ name, service }) => [name, service])),
  ].join('\n');
}

function formatListener({ listener, module, key, events }: ListenerEntry): string {
  const kind = key === null ? '' : `: ${key}`;
  const received = events && (events.length === EVENT_TYPES.length ? ' (all events)' : ` (${events.join(', ')})`);
  return `  ${listener} of ${module}${kind}${received ?? ''}`;
}

function formatInterval(interval: ScheduleInterval): string {
  return 'everyMs' in interval ? `${interval.everyMs / 1000} s` : `${interval.cron} ${interval.zone}`;
}

/** Rows of cells as lines, each column as wide as its longest cell. */
function toColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}
