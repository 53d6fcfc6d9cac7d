import { type Response } from 'supertest';
import { openApiDocument } from '../../apps/api/src/http';
import { Leads } from '../leads/leads';
import { readyCampaign } from '../campaigns/campaigns';
import { dataOf } from '../workspaces/people';
import { askUnder } from './conditions';
import { CONTRACT, type Endpoint } from './contract';
import { ShapeCheck, valuesAt } from './shape.check';
import { mutationsOf } from './shape.mutations';
import { seeded, type Subjects } from './subjects';
import { ContractWorld, type Subject } from './world';

interface Body {
  success: unknown;
  data: unknown;
  pagination: Record<string, unknown>;
}

interface FormB {
  error: { code: string; message: string; details?: { field: string }[] };
}

/** Only the contract's one reader of a secret may show one. */
const SECRET_NAME = /password|credential|token|secret|apikey|cipher|hash/i;
const NO_INTEGERS = ['abc', '1.5', '0x10', '1e2', '%205', '', '-1', '0'];

const STRANGER = `sk_${'0'.repeat(64)}`;
const WRONG_KEYS: readonly [string, object][] = [
  ['no X-Api-Key', { key: null }],
  ['an unknown X-Api-Key', { key: STRANGER }],
];
const WRONG_BEARERS: readonly [string, object][] = [
  ['no Authorization', { bearer: null }],
  ['another bearer than X-Api-Key', { bearer: STRANGER }],
];

const WRONG = {
  string: [1, true, {}, ['a']],
  boolean: ['true', 1, {}, []],
  array: ['a', 1, true, {}],
  object: ['a', 1, true, [1]],
} as const;

describe('the contract', () => {
  let world: ContractWorld;
  let subjects: Subjects;
  let canaries: readonly string[];
  const answers = new Map<string, Response[]>();

  beforeAll(async () => {
    world = await ContractWorld.start();
    ({ subjects, canaries } = await seeded(world));
    for (const endpoint of CONTRACT.endpoints) {
      const given: Response[] = [];
      for (const subject of subjects[endpoint.endpoint] ?? []) given.push(await ask(endpoint, await subject()));
      answers.set(endpoint.endpoint, given);
    }
  });
  afterAll(() => world.close());

  const ask = (endpoint: Endpoint, asked: Parameters<ContractWorld['ask']>[1]): Promise<Response> =>
    world.ask(endpoint, asked).then((response) => response);

  /** What the endpoint is asked with first, made anew. */
  async function usual({ endpoint }: Endpoint): Promise<Subject> {
    const [first] = subjects[endpoint] ?? [];
    if (!first) throw new Error(`There is nothing to ask ${endpoint} with`);
    return first();
  }

  const bodies = ({ endpoint }: Endpoint): Body[] => (answers.get(endpoint) ?? []).map(({ body }) => body as Body);

  it('is asked in full', () => {
    expect(CONTRACT.endpoints).toHaveLength(20);
    expect(Object.keys(subjects)).toEqual(CONTRACT.endpoints.map(({ endpoint }) => endpoint));
  });

  describe.each(formsOfShapes())('$name', ({ shape, form, endpoints }) => {
    const check = new ShapeCheck(shape, form);
    const records = (): unknown[] => endpoints.flatMap(bodies).flatMap(({ data }) => data);

    it.each(check.fields)('$path: $rule', (field) => {
      const { path, isNullable, isAddition, seen } = field;
      expect(records().flatMap((record) => check.ofField(field, record))).toEqual([]);
      const values = records().flatMap((record) => valuesAt(record, path));
      expect(values.filter((value) => value !== undefined)).not.toEqual([]);
      if (isAddition) return;
      expect(values.some((value) => value !== null)).toBe(true);
      if (isNullable) expect(values).toContain(null);
      expect(values.flat().map(String)).toEqual(expect.arrayContaining([...seen]));
    });

    it('has no other field', () => {
      expect(records().flatMap((record) => check.strangers(record))).toEqual([]);
    });

    it('would not pass with a field missing, null, of another type or too many', () => {
      const mutations = records().flatMap((record) => check.fields.flatMap((field) => mutationsOf(field, record)));
      expect(mutations.length).toBeGreaterThan(check.fields.length);
      const unseen = mutations.filter(({ record }) => check.violations(record).length === 0);
      expect(unseen.map(({ what }) => what)).toEqual([]);
    });
  });

  describe.each(CONTRACT.endpoints)('$endpoint', (endpoint) => {
    const { answer, query = {}, body = {}, errors = [], noFields = [] } = endpoint;

    if (answer.data === 'file') {
      it(`answers ${answer.status} with the file and its headers`, () => {
        for (const { status, headers } of answers.get(endpoint.endpoint) ?? []) {
          expect(status).toBe(answer.status);
          expect(headers).toMatchObject(
            Object.fromEntries((answer.headers ?? []).map((name) => [name, expect.stringMatching(/./) as string])),
          );
          expect(headers['content-type']).not.toContain('json');
        }
      });
    } else {
      it(`answers ${answer.status} with the envelope, and ${answer.data === 'array' ? 'a list' : 'an object'} in it`, () => {
        for (const { status, headers, body: envelope } of answers.get(endpoint.endpoint) ?? []) {
          expect([status, headers['content-type']]).toEqual([answer.status, 'application/json; charset=utf-8']);
          const { success, data } = envelope as Body;
          const names = ['success', 'data', ...(answer.pagination ? ['pagination'] : [])];
          expect(Object.keys(envelope as Body).toSorted()).toEqual(names.toSorted());
          expect([success, Array.isArray(data)]).toEqual([true, answer.data === 'array']);
        }
      });
    }

    it('shows no credential, and no secret but a webhook’s own', () => {
      for (const { text, body: envelope } of answers.get(endpoint.endpoint) ?? []) {
        const said = Buffer.isBuffer(envelope) ? envelope.toString('latin1') : text;
        expect(said).not.toBe('');
        expect(canaries.filter((canary) => said.includes(canary))).toEqual([]);
        const isSecretOfWebhook = (name: string) => answer.shape === 'Webhook' && name === 'secret';
        expect(namesIn(envelope).filter((name) => SECRET_NAME.test(name) && !isSecretOfWebhook(name))).toEqual([]);
      }
    });

    describe('its headers', () => {
      it.each(['workspace', 'platform'] as const)('may carry a %s key', async (kind) => {
        const key = kind === 'platform' ? world.workspace.owner.key : world.workspace.key;
        expect(key.startsWith(CONTRACT.authentication.prefixes[kind])).toBe(true);
        expect((await ask(endpoint, { ...(await usual(endpoint)), key })).status).toBe(answer.status);
      });

      it.each(endpoint.bearer ? [...WRONG_KEYS, ...WRONG_BEARERS] : WRONG_KEYS)(
        'are refused with %s',
        async (_what, given) => {
          const { form, status, error } = CONTRACT.authentication.refused;
          const response = await ask(endpoint, { ...(await usual(endpoint)), ...given });
          expect([form, response.status, response.body]).toEqual([
            'A',
            status,
            { error, message: expect.any(String) as string, code: status },
          ]);
        },
      );
    });

    if (query.limit || query.page) {
      describe.each(Object.entries(query).filter(([name]) => name === 'limit' || name === 'page'))('%s', (name) => {
        const rule = name === 'limit' ? query.limit : query.page;
        if (!rule) return;

        it(`is ${rule.default} by default`, () => {
          expect(bodies(endpoint)[0]?.pagination[name]).toBe(rule.default);
        });

        it.each([rule.min, rule.max ?? 1_000])('may be %d', async (value) => {
          const { status, body: page } = await ask(endpoint, { query: `${name}=${value}` });
          expect([status, (page as Body).pagination[name]]).toEqual([200, value]);
        });

        it.each([...NO_INTEGERS, ...(rule.max === undefined ? [] : [rule.max + 1])])(
          'must not be "%s"',
          async (value) => {
            refused(await ask(endpoint, { query: `${name}=${value}` }), name);
          },
        );
      });

      it('takes no other query', async () => {
        refused(await ask(endpoint, { query: 'sort=name' }), 'sort');
      });
    }

    if (answer.pagination) {
      const style = answer.pagination;
      const check = new ShapeCheck(CONTRACT.pagination[style]);

      it.each(check.fields)('pagination.$path: $rule', (field) => {
        expect(bodies(endpoint).flatMap(({ pagination }) => check.ofField(field, pagination))).toEqual([]);
        expect(bodies(endpoint).flatMap(({ pagination }) => check.strangers(pagination))).toEqual([]);
      });

      it('leads from page to page over all records, once each', async () => {
        const [all] = bodies(endpoint);
        const pages = await pagesOf(endpoint, style);
        expect(pages.flatMap(({ data }) => data)).toEqual(all?.data);
        expect(pages.length).toBeGreaterThan(1);
        const { total } = all?.pagination ?? {};
        for (const [at, { pagination }] of pages.entries()) {
          expect(check.violations(pagination)).toEqual([]);
          const isLast = at === pages.length - 1;
          if (style === 'cursor') {
            expect([pagination['total'], pagination['hasMore'], pagination['nextCursor'] === null]).toEqual([
              total,
              !isLast,
              isLast,
            ]);
          } else expect(pagination).toEqual({ page: at + 1, limit: 1, total, totalPages: total });
        }
      });
    }

    if (query.cursor) {
      it.each(['x', '%00', 'eyJpZCI6MX0'])('refuses the cursor %s, which it never gave', async (cursor) => {
        refused(await ask(endpoint, { query: `cursor=${cursor}` }), 'cursor');
      });
    }

    if (endpoint.newestFirst) {
      it('lists the most recent first', () => {
        const times = valuesAt(bodies(endpoint)[0], 'data[].createdAt').map(String);
        expect(times.length).toBeGreaterThan(1);
        expect(times).toEqual(times.toSorted().toReversed());
      });
    }

    eachOf(
      query.search,
      (name) => `search finds a part of the ${name}, in whatever case`,
      async (name) => {
        const [all] = bodies(endpoint);
        const wanted = ((all?.data ?? []) as Record<string, string>[]).find(
          (record) => (record[name] ?? '').length > 3,
        );
        const part = (wanted?.[name] ?? '').slice(1, -1).toUpperCase();
        const { data } = (await ask(endpoint, { query: `search=${encodeURIComponent(part)}` })).body as Body;
        expect(valuesAt({ data }, 'data[]._id')).toEqual([wanted?.['_id']]);
      },
    );

    for (const [name, rule] of Object.entries(body))
      describe(`the field ${name} of its body`, () => {
        const send = async (value: unknown) => {
          const subject = await usual(endpoint);
          return ask(endpoint, { ...subject, body: { ...subject.body, [name]: value } });
        };

        it(`is of the type ${rule.type}`, async () => {
          for (const wrong of WRONG[rule.type]) refused(await send(wrong), name);
        });

        if (rule.required) {
          it('is required', async () => refused(await send(undefined), name));
        }

        eachOf(
          rule.oneOf,
          (value) => `may be ${value}`,
          async (value) => {
            const response = await send(value);
            expect([response.status, (response.body as Body).data]).toEqual([
              200,
              expect.objectContaining({ [name]: value }),
            ]);
          },
        );

        if (rule.oneOf) {
          it.each(['PAUSE', 'delete', ''])('must not be "%s"', async (value) => refused(await send(value), name));
        }

        if (rule.minLength !== undefined) {
          it.each(['', '   ', '\t\n'])('must not be %j', async (value) => refused(await send(value), name));
        }

        if (rule.trimmed) {
          it('is trimmed', async () => {
            expect(dataOf<object>(await send(' \tIris '))).toMatchObject({ [name]: 'Iris' });
          });
        }

        if (rule.onlyWith) {
          it(`is refused without ${JSON.stringify(rule.onlyWith)}`, async () => {
            const subject = await usual(endpoint);
            const value = rule.type === 'array' ? [] : {};
            const without = { action: 'pause', leadIds: ['0123456789abcdef01234567'], [name]: value };
            refused(await ask(endpoint, { ...subject, body: without }), name);
          });
        }
      });

    if (endpoint.body) {
      it.each(['stranger', ...noFields])('its body has no field called %s', async (name) => {
        const subject = await usual(endpoint);
        refused(await ask(endpoint, { ...subject, body: { ...subject.body, [name]: {} } }), name);
      });
    }

    eachOf(
      errors,
      ({ status, form, when }) => `answers ${status} in form ${form} when ${when}`,
      async ({ when, ...row }) => {
        const response = await askUnder(when, world, endpoint, await usual(endpoint));
        const form = new ShapeCheck(CONTRACT.errors[row.form]);
        expect([response.status, form.violations(response.body)]).toEqual([row.status, []]);
        const said =
          row.form === 'A'
            ? (response.body as { error: string; message: string; code: number })
            : (response.body as FormB).error;
        expect(said).toMatchObject(row.form === 'A' ? { error: row.error, code: row.status } : { code: row.code });
        expect(said.message.toLowerCase()).toContain(row.message.toLowerCase());
      },
    );

    it('is in the OpenAPI document, with the same headers and query', () => {
      const [method = '', path = ''] = endpoint.endpoint.split(' ');
      const names = (template: string) => template.replaceAll(/\{\w+\}/g, '{}');
      const { paths } = openApiDocument(world.platform.app, 'http://localhost');
      const found = Object.keys(paths).find((template) => names(template) === names(path)) ?? '';
      const operation = paths[found]?.[method.toLowerCase() as 'get' | 'post' | 'delete'];
      expect(operation?.security).toEqual([endpoint.bearer ? { apiKey: [], bearer: [] } : { apiKey: [] }]);
      const parameters = (operation?.parameters ?? []) as { name: string; in: string }[];
      const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      expect(inQuery.toSorted()).toEqual(Object.keys(query).toSorted());
    });
  });

  it.each(CONTRACT.leadActions.rows)(
    'a lead that is $state, email history $hasEmailHistory: $action makes it $next',
    async ({ state, hasEmailHistory = false, action, modified, next }) => {
      const { platform, workspace } = world;
      const leads = new Leads(platform, workspace, (await readyCampaign(platform, workspace))._id);
      const [id = '', bystander = ''] = await leads.add('ada@leads.example', 'bob@leads.example');
      if (state === 'paused') await leads.modified({ action: 'pause', leadIds: [id] });
      if (hasEmailHistory) await leads.set(id, { sentCount: 1 });
      expect(await leads.modified({ action, leadIds: [id] })).toBe(modified);
      expect((await leads.stored(id))?.['status'] ?? 'deleted').toBe(next);
      expect((await leads.stored(bystander))?.['status']).toBe('active');
    },
  );

  it.each(CONTRACT.events.names)('a webhook may subscribe to %s', (name) => {
    const endpoint = CONTRACT.endpoints.find((one) => one.endpoint === 'GET /v1/webhooks/{webhookId}');
    expect(endpoint && valuesAt({ read: bodies(endpoint) }, 'read[].data.events').flat()).toContain(name);
  });

  /** Every record once, one to a page. */
  async function pagesOf(endpoint: Endpoint, style: 'cursor' | 'page'): Promise<Body[]> {
    const pages: Body[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page = (await ask(endpoint, { query: `limit=1${next}` })).body as Body;
      pages.push(page);
      const { nextCursor, totalPages } = page.pagination as { nextCursor?: string | null; totalPages?: number };
      if (style === 'cursor') next = nextCursor ? `&cursor=${encodeURIComponent(nextCursor)}` : null;
      else next = pages.length < Number(totalPages) ? `&page=${pages.length + 1}` : null;
    }
    return pages;
  }
});

/** A test for each of the rows, of which there may be none. */
function eachOf<T>(rows: readonly T[] = [], name: (row: T) => string, test: (row: T) => Promise<void>): void {
  for (const row of rows) it(name(row), () => test(row));
}

/** 400 in form B, with this field among the offending ones. */
function refused({ status, body }: Response, field: string): void {
  const { code, details = [] } = (body as FormB).error;
  expect([status, code, details.map((detail) => detail.field)]).toEqual([
    400,
    'VALIDATION_ERROR',
    expect.arrayContaining([expect.stringMatching(new RegExp(`^${field}(\\.|\\[|$)`)) as string]),
  ]);
}

/** Each shape in each form in which an endpoint answers it. */
function formsOfShapes() {
  const byName = new Map<string, Endpoint[]>();
  for (const endpoint of CONTRACT.endpoints) {
    const { shape, form } = endpoint.answer;
    if (shape === undefined) continue;
    const name = form === undefined ? shape : `${shape}, ${form} form`;
    byName.set(name, [...(byName.get(name) ?? []), endpoint]);
  }
  return [...byName].map(([name, endpoints]) => {
    const { shape: of = '', form } = endpoints[0]?.answer ?? {};
    const shape = CONTRACT.shapes[of];
    if (!shape) throw new Error(`The contract has no shape called ${of}`);
    return { name, shape, form, endpoints };
  });
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(namesIn);
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}
