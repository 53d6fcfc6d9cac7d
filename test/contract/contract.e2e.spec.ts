import { newCampaign } from '../campaigns/campaigns';
import { Leads } from '../leads/leads';
import { bodyRows } from './body-rows';
import { askUnder } from './conditions';
import { CONTRACT, type Endpoint } from './contract';
import { ContractRun, type Envelope } from './contract-run';
import { queryRows } from './query-rows';
import { expectRule } from './rules';
import { ShapeCheck, valuesAt } from './shape-check';
import { listMutations } from './shape-mutations';

const SECRET_NAME = /password|credential|token|secret|apikey|cipher|hash/i;
const STRANGER = `sk_${'0'.repeat(64)}`;
const WRONG_KEYS: readonly [string, object][] = [
  ['no X-Api-Key', { key: null }],
  ['an unknown X-Api-Key', { key: STRANGER }],
];
const WRONG_BEARERS: readonly [string, object][] = [
  ['no Authorization', { bearer: null }],
  ['another bearer than X-Api-Key', { bearer: STRANGER }],
];

const run = new ContractRun();

describe('the contract', () => {
  /** One campaign for all actions on single leads. */
  let leads: Leads;

  beforeAll(async () => {
    await run.start();
    const { platform, workspace } = run.fixture;
    leads = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
  });
  afterAll(() => run.close());

  it('is requested in full', () => {
    expect(CONTRACT.endpoints).toHaveLength(20);
    expect(run.asked).toEqual(CONTRACT.endpoints.map(({ endpoint }) => endpoint));
    const shown = new Set(CONTRACT.endpoints.map(({ answer }) => answer.shape));
    expect(Object.keys(CONTRACT.shapes).filter((name) => !shown.has(name))).toEqual([]);
  });

  describe.each(formsOfShapes())('$name', ({ shape, form, endpoints }) => {
    const check = new ShapeCheck(shape, form);
    const records = (): unknown[] =>
      endpoints.flatMap((endpoint) => run.envelopes(endpoint)).flatMap(({ data }) => data);

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

    it('fails with a field missing, null, of another type or unknown', () => {
      const mutations = records().flatMap((record) => check.fields.flatMap((field) => listMutations(field, record)));
      expect(mutations.length).toBeGreaterThan(check.fields.length);
      const unseen = mutations.filter(({ record }) => check.violations(record).length === 0);
      expect(unseen.map(({ what }) => what)).toEqual([]);
    });
  });

  describe.each(CONTRACT.endpoints)('$endpoint', (endpoint) => {
    answerRows(endpoint);
    headerRows(endpoint);
    queryRows(run, endpoint);
    bodyRows(run, endpoint);

    for (const rule of endpoint.rules ?? []) {
      it(`conforms to its rule: ${rule}`, () => expectRule(rule, run, endpoint));
    }

    for (const { when, form, status, error, code, message } of endpoint.errors ?? []) {
      it(`answers ${status} in form ${form} when ${when}`, async () => {
        const response = await askUnder(when, run.fixture, endpoint, await run.usual(endpoint));
        expect([response.status, new ShapeCheck(CONTRACT.errors[form]).violations(response.body)]).toEqual([
          status,
          [],
        ]);
        const body = response.body as { error: unknown };
        const said = (form === 'A' ? body : body.error) as { message: string };
        expect(said).toMatchObject(form === 'A' ? { error, code: status } : { code });
        expect(said.message.toLowerCase()).toContain(message.toLowerCase());
      });
    }

    it('is in the OpenAPI document, with the same headers and query', () => {
      const [method = '', path = ''] = endpoint.endpoint.split(' ');
      const unnamed = (template: string) => template.replaceAll(/\{\w+\}/g, '{}');
      const { paths } = run.openApi;
      const found = Object.keys(paths).find((template) => unnamed(template) === unnamed(path)) ?? '';
      const operation = paths[found]?.[method.toLowerCase() as 'get' | 'post' | 'delete'];
      expect(operation?.security).toEqual([endpoint.bearer ? { apiKey: [], bearer: [] } : { apiKey: [] }]);
      const parameters = (operation?.parameters ?? []) as { name: string; in: string }[];
      const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      expect(inQuery.toSorted()).toEqual(Object.keys(endpoint.query ?? {}).toSorted());
    });
  });

  it.each(CONTRACT.leadActions.rows)(
    'a lead that is $state, email history $hasEmailHistory: $action makes it $next',
    async ({ state, hasEmailHistory = false, action, modified, next }) => {
      const name = [action, state, hasEmailHistory].join('-');
      const [id = '', bystander = ''] = await leads.add(`${name}@leads.example`, `not-${name}@leads.example`);
      if (state === 'paused') await leads.modified({ action: 'pause', leadIds: [id] });
      if (hasEmailHistory) await leads.set(id, { sentCount: 1 });
      expect(await leads.modified({ action, leadIds: [id] })).toBe(modified);
      expect((await leads.stored(id))?.['status'] ?? 'deleted').toBe(next);
      expect((await leads.stored(bystander))?.['status']).toBe('active');
    },
  );

  it.each(CONTRACT.events.names)('a webhook may subscribe to %s', (name) => {
    const webhooks = CONTRACT.endpoints.find(({ endpoint }) => endpoint === 'GET /v1/webhooks');
    expect(webhooks && valuesAt(run.envelopes(webhooks)[0], 'data[].events').flat()).toContain(name);
  });
});

/** Status, envelope and headers of a success, and what it must not show. */
function answerRows(endpoint: Endpoint): void {
  const { answer } = endpoint;

  if (answer.data === 'file') {
    it(`answers ${answer.status} with the file and its headers`, () => {
      const named = Object.fromEntries(
        (answer.headers ?? []).map((name) => [name, expect.stringMatching(/./) as string]),
      );
      for (const { status, headers } of run.answers(endpoint)) {
        expect(status).toBe(answer.status);
        expect(headers).toMatchObject(named);
        expect(headers['content-type']).not.toContain('json');
      }
    });
  } else {
    it(`answers ${answer.status} with the envelope, and ${answer.data === 'array' ? 'a list' : 'an object'} in it`, () => {
      const names = ['success', 'data', ...(answer.pagination ? ['pagination'] : [])];
      for (const { status, headers, body } of run.answers(endpoint)) {
        expect([status, headers['content-type']]).toEqual([answer.status, 'application/json; charset=utf-8']);
        const envelope = body as Envelope;
        expect(Object.keys(envelope).toSorted()).toEqual(names.toSorted());
        expect([envelope.success, Array.isArray(envelope.data)]).toEqual([true, answer.data === 'array']);
      }
    });
  }

  it('shows no credential, and no secret except a webhook’s own', () => {
    for (const { text, body } of run.answers(endpoint)) {
      const said = Buffer.isBuffer(body) ? body.toString('latin1') : text;
      expect(said).not.toBe('');
      expect(run.canaries.filter((canary) => said.includes(canary))).toEqual([]);
      const names = Buffer.isBuffer(body) ? [] : namesIn(body).filter((name) => SECRET_NAME.test(name));
      expect(names.filter((name) => answer.shape !== 'Webhook' || name !== 'secret')).toEqual([]);
    }
  });
}

function headerRows(endpoint: Endpoint): void {
  it.each(['workspace', 'platform'] as const)('accepts a %s key', async (kind) => {
    const { workspace } = run.fixture;
    const key = kind === 'platform' ? workspace.owner.key : workspace.key;
    expect(key.startsWith(CONTRACT.authentication.prefixes[kind])).toBe(true);
    expect((await run.ask(endpoint, { ...(await run.usual(endpoint)), key })).status).toBe(endpoint.answer.status);
  });

  it.each(endpoint.bearer ? [...WRONG_KEYS, ...WRONG_BEARERS] : WRONG_KEYS)('refuses %s', async (_what, given) => {
    const { status, error } = CONTRACT.authentication.refused;
    const response = await run.ask(endpoint, { ...(await run.usual(endpoint)), ...given });
    const body = { error, message: expect.any(String) as string, code: status };
    expect([response.status, response.body]).toEqual([status, body]);
  });
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
