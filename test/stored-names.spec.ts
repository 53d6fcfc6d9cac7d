/** @jest-environment node */
import { join } from 'node:path';
import { AUDIT_ACTIONS } from '@domain/audit';
import { EVENT_TYPES } from '@domain/events';
import { type INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { envExample } from '@platform/config';
import { errorCodes } from '@platform/errors';
import { MetricsService } from '@platform/observability';
import { QUEUE_NAMES } from '@platform/queues';
import { type Connection, type Schema } from 'mongoose';
import { createOpenApiDocument } from '../apps/api/src/http';

import { type Platform, startPlatform } from './harness';
import { expectKept } from './snapshot-files';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Public and stored names. A renaming in the code leaves the kept file unchanged; a change of the file needs a
 * migration, an entry in CHANGELOG.md, or both. `WRITE_GOLDEN=1` writes it.
 */
describe('public and stored names', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform({ worker: true });
  });
  afterAll(() => platform.close());

  it('are those of test/stored-names.json', () => {
    const contexts = [platform.app, platform.worker!];
    const document = createOpenApiDocument(platform.app, 'http://localhost:3000');
    const operations = Object.values(document.paths).flatMap((path) =>
      METHODS.flatMap((method) => path[method]?.operationId ?? []),
    );
    expectKept(join(__dirname, 'stored-names.json'), {
      collections: collectionsOf(contexts),
      queues: QUEUE_NAMES.toSorted(),
      metrics: unique(contexts.flatMap(metricsOf)),
      auditActions: AUDIT_ACTIONS.toSorted(),
      eventTypes: EVENT_TYPES.toSorted(),
      errorCodes: errorCodes()
        .map(({ code }) => code)
        .toSorted(),
      operationIds: operations.toSorted(),
      schemas: Object.keys(document.components?.schemas ?? {}).toSorted(),
      variables: unique([...envExample().matchAll(/^(?:# ?)?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!)),
    });
  });
});

/** The fields and indexes of each collection: name, keys, options. */
function collectionsOf(contexts: readonly INestApplicationContext[]): Record<string, object> {
  const models = contexts.flatMap((context) => Object.values(context.get<Connection>(getConnectionToken()).models));
  const byName = new Map(
    models.map(({ collection, schema }) => [
      collection.name,
      { fields: fieldsOf(schema).toSorted(), indexes: indexesOf(schema) },
    ]),
  );
  const names = [...byName.keys()].toSorted();
  return Object.fromEntries(names.map((name) => [name, byName.get(name)!]));
}

/** Dotted paths, including those of embedded documents. */
function fieldsOf(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.paths).flatMap(([path, type]) => {
    const embedded = (type as { schema?: Schema }).schema;
    return [`${prefix}${path}`, ...(embedded ? fieldsOf(embedded, `${prefix}${path}.`) : [])];
  });
}

/** As MongoDB names them: the keys with their directions. */
function indexesOf(schema: Schema): string[] {
  return schema
    .indexes()
    .map(([keys, { background: _background, ...options }]) => {
      const name = Object.entries(keys).flat().join('_');
      return `${name} ${JSON.stringify(keys)} ${JSON.stringify(options)}`;
    })
    .toSorted();
}

/** With their labels; without the metrics of Node.js and of the process. */
function metricsOf(context: INestApplicationContext): string[] {
  return context
    .get(MetricsService)
    .registry.getMetricsAsArray()
    .filter(({ name }) => name.startsWith('outreach_'))
    .map((metric) => `${metric.name} ${(metric as { labelNames?: string[] }).labelNames?.join(' ') ?? ''}`.trimEnd());
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}
