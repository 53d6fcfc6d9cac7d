import { type Response } from 'supertest';
import { dataOf } from '../workspaces/people';
import { type BodyRule, type Endpoint } from './contract';
import { type ContractRun, type Envelope, expectRefused } from './contract-run';

const OF_OTHER_TYPES = {
  string: [1, true, {}, ['a']],
  boolean: ['true', 1, {}, []],
  array: ['a', 1, true, {}],
  object: ['a', 1, true, [1]],
} as const;

/** Tests the fields of a body. */
export function bodyRows(run: ContractRun, endpoint: Endpoint): void {
  const { body, noFields = [] } = endpoint;
  if (!body) return;
  for (const [name, rule] of Object.entries(body)) fieldRows(run, endpoint, name, rule);

  it.each(['stranger', ...noFields])('its body has no field called %s', async (name) => {
    expectRefused(await send(run, endpoint, { [name]: {} }), name);
  });
}

function fieldRows(run: ContractRun, endpoint: Endpoint, name: string, rule: BodyRule): void {
  const give = (value: unknown) => send(run, endpoint, { [name]: value });

  it(`${name} is of the type ${rule.type}`, async () => {
    for (const wrong of OF_OTHER_TYPES[rule.type]) expectRefused(await give(wrong), name);
  });

  if (rule.required) {
    it(`${name} is required`, async () => expectRefused(await give(undefined), name));
  }

  if (rule.oneOf) {
    it.each(rule.oneOf)(`${name} may be %s`, async (value) => {
      const { status, body } = await give(value);
      expect([status, (body as Envelope).data]).toEqual([200, expect.objectContaining({ [name]: value })]);
    });

    it.each([rule.oneOf[0]?.toUpperCase(), 'delete', ''])(`${name} must not be "%s"`, async (value) => {
      expectRefused(await give(value), name);
    });
  }

  if (rule.minLength !== undefined) {
    it.each(['', '   ', '\t\n'])(`${name} must not be %j`, async (value) => expectRefused(await give(value), name));
  }

  if (rule.trimmed) {
    it(`${name} is trimmed`, async () => {
      expect(dataOf<object>(await give(' \tIris '))).toMatchObject({ [name]: 'Iris' });
    });
  }

  if (rule.onlyWith) {
    it(`${name} is refused without ${JSON.stringify(rule.onlyWith)}`, async () => {
      const value = rule.type === 'array' ? [] : {};
      const without = { selectAll: undefined, leadIds: ['0123456789abcdef01234567'], [name]: value };
      expectRefused(await send(run, endpoint, without), name);
    });
  }
}

/** The usual body with these fields instead. */
async function send(run: ContractRun, endpoint: Endpoint, fields: object): Promise<Response> {
  const subject = await run.usual(endpoint);
  return run.ask(endpoint, { ...subject, body: { ...subject.body, ...fields } });
}
