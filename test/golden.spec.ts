/** @jest-environment node */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { envExample } from '@platform/config';
import { errorCodes } from '@platform/errors';
import { EVENT_DATA, EVENT_TYPES } from '@domain/events';
import { messageSchema, sampleEvent } from '@domain/webhooks';
import { writesGolden } from '@testing';
import { openApiDocument } from '../apps/api/src/http';
import { STATUS_OF_KIND } from '../apps/api/src/http/error-response';
import { type Platform, startPlatform } from './harness';

function expectGolden(path: string, text: string): void {
  const file = join(__dirname, '..', path);
  if (writesGolden()) {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  expect(readFileSync(file, 'utf8')).toBe(text);
}

/** docs/errors.md: every code that the platform declares, with its HTTP status. */
function errorsPage(): string {
  const rows = errorCodes().map(({ code, kind, failure, meaning }) => {
    const again = failure === 'temporary' ? 'yes' : failure === 'ambiguous' ? 'look first' : 'no';
    return `| \`${code}\` | ${STATUS_OF_KIND[kind]} | ${again} | ${meaning} |`;
  });
  return [
    '# Error codes',
    '',
    'Generated from the code by `npm run generate`. Form B bodies carry the code as `error.code`; where the contract asks',
    'for Form A (`{error, message, code}`), `code` is the HTTP status. Bodies of 5xx answers carry an `errorId` that is in the log.',
    '',
    '| Code | Status | Same request again? | Meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '| `INTERNAL_ERROR` | 500 | look first | A fault of ours; `errorId` names the line in the log. |',
    '',
    'The HTTP layer refuses by itself, in Form A: 401 (key missing, unknown, expired, revoked), 403 (scope or role), 404 (no such',
    'address), 405, 413 (body over 1 MB), 415 (another `Content-Type` than the route takes, or a compressed body: no `Content-Encoding`',
    'but `identity` is supported, with or without a key), 429 (rate limit; `Retry-After`), 503 (database or queue away).',
    '',
  ].join('\n');
}

describe('generated files are what the code says', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform.close());

  it('.env.example', () => expectGolden('.env.example', envExample()));

  it('docs/errors.md', () => expectGolden('docs/errors.md', errorsPage()));

  it('docs/openapi.json', () => {
    const document = openApiDocument(platform.app, 'http://localhost:3000');
    expectGolden('docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
  });

  it.each(EVENT_TYPES)('docs/events/%s.json', (type) => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    const schema = { $schema, title: type, ...messageSchema(type), examples: [sampleEvent(type)] };
    expectGolden(`docs/events/${type}.json`, `${JSON.stringify(schema, null, 2)}\n`);
  });

  it('docs/events.md names every type and every field', () => {
    const page = readFileSync(join(__dirname, '../docs/events.md'), 'utf8');
    const names = EVENT_TYPES.flatMap((type) => [type, ...Object.keys(EVENT_DATA[type].fields)]);
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('docs/events has nothing else', () => {
    const files = readdirSync(join(__dirname, '../docs/events'));
    expect(files.toSorted()).toEqual(EVENT_TYPES.map((type) => `${type}.json`).toSorted());
  });
});
