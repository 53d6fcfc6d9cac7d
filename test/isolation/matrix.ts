import { getConnectionToken } from '@nestjs/mongoose';
import { tenantCollections } from '@platform/database';
import { DEEP } from '@testing';
import { type Connection } from 'mongoose';
import { plausibleBody, plausibleQuestion } from './asking';
import { type Answer } from './caller';
import { Foreign, listRecords } from './foreign';
import { dealt, each, type Ground, STRANGE_IDS, UNKNOWN_ID } from './ground';
import { placed, type Position, listPositions, recordAt, staleExceptions } from './positions';
import { ended, NOT_TAKEN, together } from './together';
import { expectTaken, READ_UNTOUCHED } from './rightly';
import { type IsolationFixture } from './isolation-fixture';

/** Where a filter is kept as somebody said it: an id in it finds nothing. */
const KEPT_AS_SAID: ReadonlySet<string> = new Set(['crm_sync_jobs']);

/**
 * Two workspaces and every place in which a request can name a record, found by machine. Whoever names a record of the other
 * workspace is answered as if there were none; of the other workspace nothing changes and nothing is told. In a body or a
 * query, a record of one's own is taken in the same place: the refusal is for the record and for nothing else.
 */
export function describeMatrix(ground: () => Ground): void {
  let foreign: Foreign;
  let before: Record<string, unknown[]>;
  /** What was told to `mine`, with what it had said itself. */
  const told: { label: string; text: string; said: string }[] = [];

  beforeAll(async () => {
    await ground().handedOn();
    const content = await ground().dump();
    before = listRecords(content, ground().theirs);
    foreign = new Foreign(content, ground().theirs);
  });

  const positions = (...places: Position['place'][]) =>
    ground()
      .guarded.flatMap(listPositions)
      .filter(({ place }) => places.includes(place));

  async function ask(position: Position, id: string): Promise<Answer> {
    const { call, said } = asking(ground(), position, id);
    const answer = await ground().caller.ask(call);
    told.push({ label: position.label, text: answer.text, said });
    await ended(ground(), position, answer);
    return answer;
  }

  it('knows a record for every place, and no exception that is none', () => {
    const { theirs, mine, routes } = ground();
    expect(staleExceptions(routes)).toEqual([]);
    const taken = new Set(positions('query', 'body').map(({ label }) => label));
    expect(Object.keys(NOT_TAKEN).filter((label) => !taken.has(label))).toEqual([]);
    const unseeded = positions('query', 'body').filter(
      (position) => idIn(theirs, position) === idIn(mine, position) && !(position.label in NOT_TAKEN),
    );
    expect(unseeded.map(({ label }) => label)).toEqual([]);
  });

  it('answers the same 404 in a path to a record of another workspace, an unknown and a malformed one', async () => {
    await each(positions('path'), async (position, index) => {
      const unknown = shown(await ask(position, UNKNOWN_ID));
      expect(unknown.status).toBe(404);
      const strange = DEEP ? dealt(STRANGE_IDS, 2, index) : dealt(STRANGE_IDS, index % 3 === 0 ? 1 : 0, index);
      for (const id of [idIn(ground().theirs, position), ...strange]) {
        expect(shown(await ask(position, id))).toEqual(unknown);
      }
    });
  });

  it('answers in a query and a body to a record of another workspace as to an unknown one, and otherwise to its own', async () => {
    await each(positions('query', 'body'), async (position) => {
      const unknown = shown(await ask(position, UNKNOWN_ID), UNKNOWN_ID);
      const id = idIn(ground().theirs, position);
      expect(shown(await ask(position, id), id)).toEqual(unknown);
      if (position.label in NOT_TAKEN) return;
      const own = idIn(ground().mine, position);
      const answer = shown(await ask(position, own), own);
      // Where nobody is refused, one's own is not refused either.
      if (unknown.status < 300) expect(answer).toEqual({ status: unknown.status, text: expect.any(String) as unknown });
      else expect(answer).not.toEqual(unknown);
    });
  });

  it('answers 2xx to every read, and shows in none what is another workspace’s, whatever is asked for', async () => {
    const reads = ground().guarded.filter(({ method }) => method === 'get');
    await each(reads, async (route) => {
      const key = ground().keyFor(route, ground().mine);
      const answer = await ground().ask(route, ground().mine, { key });
      if (!READ_UNTOUCHED.has(route.label)) expectTaken(route, answer);
      told.push({ label: route.label, text: answer.text, said: '' });
    });
    expect(foreign.size).toBeGreaterThan(100);
    const leaks = told.map(({ label, text, said }) => ({ label, found: foreign.in(text, said) }));
    expect(leaks.filter(({ found }) => found.length > 0)).toEqual([]);
  });

  it('changes nothing of the other workspace, and tells its webhooks, its events and its audit log nothing', async () => {
    await ground().handedOn();
    expect(listRecords(await ground().dump(), ground().theirs)).toEqual(before);
  });

  it('keeps no record of the other workspace in a record, an event, a webhook or an audit entry of its own', async () => {
    const own = listRecords(await ground().dump(), ground().mine);
    expect(own['audit_entries']?.length).toBeGreaterThan(0);
    expect(own['events']?.length).toBeGreaterThan(0);
    expect(own['webhook_deliveries']?.length).toBeGreaterThan(0);
    const found = Object.entries(own).flatMap(([name, documents]) => {
      const said = KEPT_AS_SAID.has(name) ? told.map(({ said }) => said).join('\n') : '';
      return foreign.in(JSON.stringify(documents), said).map((what) => `${name}: ${what}`);
    });
    expect(found).toEqual([]);
  });

  it('would be red, every read of it, if services forgot the workspace when they look for a record', async () => {
    const { guarded, theirs, mine, caller } = ground();
    const reads = guarded.filter(({ method, ids }) => method === 'get' && ids.length > 0);
    const spies = forgetfulModels(ground());
    try {
      const green: string[] = [];
      for (const route of reads) {
        const ids = Object.fromEntries(route.ids.map((name) => [name, theirs.id(route, name)]));
        const { status } = await caller.ask(ground().question(route, { key: ground().keyFor(route, mine), ids }));
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

/** The request of `mine` that names this record in this place, and what it says with it. */
function asking(ground: Ground, position: Position, id: string) {
  const { mine, caller } = ground;
  const { route, place, path } = position;
  const key = ground.keyFor(route, mine);
  if (place === 'path') {
    return { call: plausibleQuestion(route, mine, { key, ids: { [path]: id } }, caller.origin), said: id };
  }
  if (place === 'query') {
    const query = new URLSearchParams({
      ...(together(position, mine) as Record<string, string>),
      [path]: id,
    }).toString();
    return { call: ground.question(route, { key, query }), said: id };
  }
  const body = { ...plausibleBody(route, mine, caller.origin), ...together(position, mine) };
  const text = JSON.stringify(placed(body, path, id));
  return { call: ground.question(route, { key, body: text }), said: text };
}

/** Status and body, apart from what is new with every request and from the id that was sent. */
function shown({ status, text }: Answer, sent = '-'): { status: number; text: string } {
  const plain = text
    .replaceAll(sent, '<sent>')
    .replaceAll(/[0-9a-f]{24}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return { status, text: plain };
}

/** As if no service named the workspace of the one record that it looks for. */
function forgetfulModels({ platform }: Ground): jest.SpyInstance[] {
  const { models } = platform.app.get<Connection>(getConnectionToken());
  return tenantCollections(models).map((model) => {
    const findOne = model.findOne.bind(model) as (...given: unknown[]) => unknown;
    return jest.spyOn(model, 'findOne').mockImplementation(((filter: object, fields: unknown, options?: object) => {
      const { workspaceId: _forgotten, ...rest } = filter as Record<string, unknown>;
      return findOne(rest, fields, { ...options, allWorkspaces: 'a service that forgets it' });
    }) as never);
  });
}
