/** @jest-environment node */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { envExample } from '@platform/config';
import { formatWiring, readWiring } from '@domain/assembly';
import { EVENT_TYPES } from '@domain/events';
import { createSampleEvent, getMessageSchema } from '@domain/webhooks';
import { writesGolden } from '@testing';
import { createOpenApiDocument } from '../apps/api/src/http';
import { alertsPage, errorsPage, eventsPage, wiringPage } from './golden-pages';
import { type Platform, startPlatform } from './harness';

function expectGolden(path: string, text: string): void {
  const file = join(__dirname, '..', path);
  if (writesGolden()) {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  expect(readFileSync(file, 'utf8')).toBe(text);
}

describe('generated files match the code', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform.close());

  it('.env.example', () => expectGolden('.env.example', envExample()));

  it('docs/reference/errors.md', () => expectGolden('docs/reference/errors.md', errorsPage()));

  it('docs/reference/openapi.json', () => {
    const document = createOpenApiDocument(platform.app, 'http://localhost:3000');
    expectGolden('docs/reference/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
  });

  it.each(EVENT_TYPES)('docs/reference/events/%s.json', (type) => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    const schema = { $schema, title: type, ...getMessageSchema(type), examples: [createSampleEvent(type)] };
    expectGolden(`docs/reference/events/${type}.json`, `${JSON.stringify(schema, null, 2)}\n`);
  });

  it('docs/reference/events.md', () => expectGolden('docs/reference/events.md', eventsPage()));

  it('docs/reference/wiring.md', () => {
    const wiring = readWiring((service) => platform.app.get(service, { strict: false }));
    expectGolden('docs/reference/wiring.md', wiringPage(formatWiring(wiring)));
  });

  it('docs/reference/alerts.md', () => expectGolden('docs/reference/alerts.md', alertsPage()));

  it('docs/reference/events has nothing else', () => {
    const files = readdirSync(join(__dirname, '../docs/reference/events'));
    expect(files.toSorted()).toEqual(EVENT_TYPES.map((type) => `${type}.json`).toSorted());
  });
});
