import { placed, listPositions, recordAt } from './positions';
import { type Route, type Schema } from './routes';

const ID: Schema = { type: 'string', minLength: 1, maxLength: 64 };
const TEXT: Schema = { type: 'string', minLength: 1, maxLength: 200 };
const LIST: Schema = { type: 'array', items: ID };

function route(fields: Record<string, Schema>, query: Record<string, Schema> = {}): Route {
  const body = { fields, plausible: () => ({}) };
  return { label: 'POST /v1/things', ids: ['thingId'], query, body } as unknown as Route;
}

describe('the positions of ids in a request', () => {
  it.each<[name: string, fields: Record<string, Schema>, places: string[]]>([
    [
      'in a field that is described as an id, whatever its name',
      { mailboxes: LIST, before: ID },
      ['mailboxes[]', 'before'],
    ],
    [
      'in a field with the name of an id, whatever its description',
      { leadId: TEXT, ids: { type: 'array', items: TEXT } },
      ['leadId', 'ids[]'],
    ],
    ['that may be null', { mailboxId: { ...ID, type: ['string', 'null'] } }, ['mailboxId']],
    ['in objects and lists, at any depth', nested(), ['filters.campaignIds[]', 'steps[].variants[]._id']],
    [
      'and no other',
      { name: TEXT, kind: { ...ID, enum: ['a'] }, at: { ...ID, format: 'date-time' }, invalid: TEXT },
      [],
    ],
  ])('are found %s', (_name, fields, places) => {
    expect(listPositions(route(fields)).map(({ path }) => path)).toEqual(['thingId', ...places]);
  });

  it('are found in the query too', () => {
    const labels = listPositions(route({}, { leadId: TEXT, limit: { type: 'integer' } })).map(({ label }) => label);
    expect(labels).toEqual(['POST /v1/things: path thingId', 'POST /v1/things: query leadId']);
  });

  it.each([
    ['filters.mailboxIds[]', 'mailboxId'],
    ['mailboxes[]', 'mailboxId'],
    ['excludeIds[]', 'leadId'],
    ['sequence[].variants[]._id', 'variantId'],
    ['pull.campaignId', 'campaignId'],
  ])('name the record at %s: %s', (path, record) => {
    expect(recordAt({ path })).toBe(record);
  });

  it.each<[path: string, before: unknown, after: unknown]>([
    ['leadId', { name: 'x' }, { name: 'x', leadId: 'id' }],
    ['ids[]', { ids: ['a', 'b'] }, { ids: ['id'] }],
    ['filters.ids[]', {}, { filters: { ids: ['id'] } }],
    [
      'steps[].variants[]._id',
      { steps: [{ a: 1 }, { b: 2 }] },
      { steps: [{ a: 1, variants: [{ _id: 'id' }] }, { b: 2 }] },
    ],
  ])('are filled at %s, and other values stay', (path, before, after) => {
    expect(placed(before, path, 'id')).toEqual(after);
  });
});

function nested(): Record<string, Schema> {
  const variants: Schema = { type: 'array', items: { properties: { _id: TEXT, body: TEXT } } };
  return {
    filters: { properties: { campaignIds: LIST } },
    steps: { type: 'array', items: { properties: { variants } } },
  };
}
