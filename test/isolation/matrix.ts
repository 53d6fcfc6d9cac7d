import { getConnectionToken } from '@nestjs/mongoose';
import { tenantCollections } from '@platform/database';
import { DEEP } from '@testing';
import { type Connection } from 'mongoose';
import { plausibleBody, plausibleQuestion } from './asking';
import { type Answer } from './caller';
import { Foreign, listRecords } from './foreign';
import { dealt, each, type IsolationEnvironment, STRANGE_IDS, UNKNOWN_ID } from './isolation-environment';
import { placed, type Position, listPositions, recordAt, staleExceptions } from './positions';
import { ended, NOT_TAKEN, together } from './together';
import { expectSuccess, READ_UNTOUCHED } from './valid-requests';
import { type IsolationFixture } from './isolation-fixture';

/** Filters that are stored as given: an id in them finds nothing. */
const KEPT_AS_SAID: ReadonlySet<string> = new Set(['crm_sync_jobs']);

/**
 * Two workspaces, and every position in which a request can name a record, found by code. A request that names a
 * record of the other workspace gets the response for an unknown record; the other workspace does not change, and no
 * response contains its data. In a body or a query, an own record is accepted in the same position: the refusal
 * concerns the record and nothing else.
 */
export function describeMatrix(environment: () => IsolationEnvironment): void {
  let foreign: Foreign;
  let before: Record<string, unknown[]>;
  /** Responses to `mine`, with the content of its requests. */
  const responses: { label: string; text: string; said: string }[] = [];

  beforeAll(async () => {
    await environment().eventsRelayed();
    const content = await environment().dump();
    before = listRecords(content, environment().theirs);
    foreign = new Foreign(content, environment().theirs);
  });

  const positions = (...places: Position['place'][]) =>
    environment()
      .guarded.flatMap(listPositions)
      .filter(({ place }) => places.includes(place));

  async function ask(position: Position, id: string): Promise<Answer> {
    const { call, said } = asking(environment(), position, id);
    const answer = await environment().caller.ask(call);
    responses.push({ label: position.label, text: answer.text, said });
    await ended(environment(), position, answer);
    return answer;
  }

  it('has a record for every position, and no unused exception', () => {
    const { theirs, mine, routes } = environment();
    expect(staleExceptions(routes)).toEqual([]);
    const taken = new Set(positions('query', 'body').map(({ label }) => label));
    expect(Object.keys(NOT_TAKEN).filter((label) => !taken.has(label))).toEqual([]);
    const unseeded = positions('query', 'body').filter(
      (position) => idIn(theirs, position) === idIn(mine, position) && !(position.label in NOT_TAKEN),
    );
    expect(unseeded.map(({ label }) => label)).toEqual([]);
  });

  it('answers the same 404 to another workspace’s record, an unknown one and a malformed one in the path', async () => {
    await each(positions('path'), async (position, index) => {
      const unknown = shown(await ask(position, UNKNOWN_ID));
      expect(unknown.status).toBe(404);
      const strange = DEEP ? dealt(STRANGE_IDS, 2, index) : dealt(STRANGE_IDS, index % 3 === 0 ? 1 : 0, index);
      for (const id of [idIn(environment().theirs, position), ...strange]) {
        expect(shown(await ask(position, id))).toEqual(unknown);
      }
    });
  });

  it('answers to another workspace’s record in a query or body as to an unknown one, and accepts an own record', async () => {
    await each(positions('query', 'body'), async (position) => {
      const unknown = shown(await ask(position, UNKNOWN_ID), UNKNOWN_ID);
      const id = idIn(environment().theirs, position);
      expect(shown(await ask(position, id), id)).toEqual(unknown);
      if (position.label in NOT_TAKEN) return;
      const own = idIn(environment().mine, position);
      const answer = shown(await ask(position, own), own);
      // If an unknown record is accepted, an own record is accepted too.
      if (unknown.status < 300) expect(answer).toEqual({ status: unknown.status, text: expect.any(String) as unknown });
      else expect(answer).not.toEqual(unknown);
    });
  });

  it('answers 2xx to every read, without data of the other workspace, whatever the request names', async () => {
    const reads = environment().guarded.filter(({ method }) => method === 'get');
    await each(reads, async (route) => {
      const key = environment().keyFor(route, environment().mine);
      const answer = await environment().ask(route, environment().mine, { key });
      if (!READ_UNTOUCHED.has(route.label)) expectSuccess(route, answer);
      responses.push({ label: route.label, text: answer.text, said: '' });
    });
    expect(foreign.size).toBeGreaterThan(100);
    const leaks = responses.map(({ label, text, said }) => ({ label, found: foreign.in(text, said) }));
    expect(leaks.filter(({ found }) => found.length > 0)).toEqual([]);
  });

  it('changes nothing in the other workspace, nor its webhooks, events and audit log', async () => {
    await environment().eventsRelayed();
    expect(listRecords(await environment().dump(), environment().theirs)).toEqual(before);
  });

  it('stores no record of the other workspace in a record, an event, a webhook or an audit entry of its own', async () => {
    const own = listRecords(await environment().dump(), environment().mine);
    expect(own['audit_entries']?.length).toBeGreaterThan(0);
    expect(own['events']?.length).toBeGreaterThan(0);
    expect(own['webhook_deliveries']?.length).toBeGreaterThan(0);
    const found = Object.entries(own).flatMap(([name, documents]) => {
      const said = KEPT_AS_SAID.has(name) ? responses.map(({ said }) => said).join('\n') : '';
      return foreign.in(JSON.stringify(documents), said).map((what) => `${name}: ${what}`);
    });
    expect(found).toEqual([]);
  });

  it('would fail for every read if services ignored the workspace when they search for a record', async () => {
    const { guarded, theirs, mine, caller } = environment();
    const reads = guarded.filter(({ method, ids }) => method === 'get' && ids.length > 0);
    const spies = forgetfulModels(environment());
    try {
      const green: string[] = [];
      for (const route of reads) {
        const ids = Object.fromEntries(route.ids.map((name) => [name, theirs.id(route, name)]));
        const { status } = await caller.ask(
          environment().question(route, { key: environment().keyFor(route, mine), ids }),
        );
        if (status === 404) green.push(route.label);
      }
      expect(green).toEqual([]);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });
}

function idIn(fixture: IsolationFixture, { route, place, path, label }: Position): string {
  return place === 'path' ? fixture.id(route, path) : fixture.record(recordAt({ path }), label);
}

/** The request of `mine` that names this record in this position, and the content that it sends. */
function asking(environment: IsolationEnvironment, position: Position, id: string) {
  const { mine, caller } = environment;
  const { route, place, path } = position;
  const key = environment.keyFor(route, mine);
  if (place === 'path') {
    return { call: plausibleQuestion(route, mine, { key, ids: { [path]: id } }, caller.origin), said: id };
  }
  if (place === 'query') {
    const query = new URLSearchParams({
      ...(together(position, mine) as Record<string, string>),
      [path]: id,
    }).toString();
    return { call: environment.question(route, { key, query }), said: id };
  }
  const body = { ...plausibleBody(route, mine, caller.origin), ...together(position, mine) };
  const text = JSON.stringify(placed(body, path, id));
  return { call: environment.question(route, { key, body: text }), said: text };
}

/** Status and body, without values that are new in every request, and without the id that was sent. */
function shown({ status, text }: Answer, sent = '-'): { status: number; text: string } {
  const plain = text
    .replaceAll(sent, '<sent>')
    .replaceAll(/[0-9a-f]{24}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return { status, text: plain };
}

/** Simulates services that ignore the workspace of a single record. */
function forgetfulModels({ platform }: IsolationEnvironment): jest.SpyInstance[] {
  const { models } = platform.app.get<Connection>(getConnectionToken());
  return tenantCollections(models).map((model) => {
    const findOne = model.findOne.bind(model) as (...given: unknown[]) => unknown;
    return jest.spyOn(model, 'findOne').mockImplementation(((filter: object, fields: unknown, options?: object) => {
      const { workspaceId: _forgotten, ...rest } = filter as Record<string, unknown>;
      return findOne(rest, fields, { ...options, allWorkspaces: 'a service that forgets it' });
    }) as never);
  });
}
