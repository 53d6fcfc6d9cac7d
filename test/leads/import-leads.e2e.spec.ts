import { request as httpRequest } from 'node:http';
import { type AddressInfo } from 'node:net';
import { getConnectionToken } from '@nestjs/mongoose';
import { QueuesService } from '@platform/queues';
import { eventually, rounds } from '@testing';
import { type Connection } from 'mongoose';
import { newCampaign } from '../campaigns/campaigns';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { FILES } from './import-files';
import { uploadLimit, withUploadLimit } from './upload-limit';

interface Import {
  _id: string;
  status: string;
  encoding: string;
  delimiter: string;
  progress: number;
  error: { code: string; message: string } | null;
  mapping: { column: number; header: string; field: string | null }[];
  counts: Record<string, number>;
}

const NOTHING = {
  rows: 0, created: 0, duplicate: 0, invalidAddress: 0, suppressed: 0, missingColumns: 0, extraColumns: 0,
  invalidValue: 0, overLimit: 0,
}; // prettier-ignore
const MEGABYTE = 1024 * 1024;
/**
 * Megabytes of the limit for an upload without a length: the real limit, or less in the quick tier, by the same rule.
 */
const STREAMED = rounds(100, 3);

describe('imports of leads', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let path: string;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    workspace = await platform.seed.workspace();
    await anotherCampaign();
  });
  afterAll(() => platform.close());

  async function anotherCampaign(): Promise<void> {
    path = `/v1/campaigns/${(await newCampaign(platform, workspace))._id}/leads`;
  }

  const api = () => platform.api.as(workspace.key);
  const send = (file: string | Buffer, query: Record<string, string> = {}) =>
    api().post(`${path}/import`).query(query).type('text/csv').send(file);
  const upload = async (file: string | Buffer, query: Record<string, string> = {}) =>
    dataOf<Import>(await send(file, query).expect(202));
  const read = async (id: string) => dataOf<Import>(await api().get(`${path}/imports/${id}`));
  const stored = (name: string) => platform.app.get<Connection>(getConnectionToken()).db!.collection(name);
  const imported = async (file: string | Buffer, query: Record<string, string> = {}) => {
    const { _id } = await upload(file, query);
    await platform.drain();
    return read(_id);
  };
  const emails = async () =>
    dataOf<{ email: string }[]>(await api().get(`${path}?limit=100`))
      .map(({ email }) => email)
      .sort();

  describe('POST /v1/campaigns/{id}/leads/import', () => {
    it('answers with the job, which the worker runs', async () => {
      const response = await send('E-Mail;Vorname;Umsatz\nada@example.com;Ada;5\nno;;\n', { fileName: 'fair.csv' });
      expect(response.status).toBe(202);
      const job = {
        _id: ID,
        campaignId: path.split('/')[3],
        fileName: 'fair.csv',
        status: 'pending',
        encoding: 'utf-8',
        delimiter: 'semicolon',
        hasHeader: true,
        mapping: [
          { column: 1, header: 'E-Mail', field: 'email' },
          { column: 2, header: 'Vorname', field: 'firstName' },
          { column: 3, header: 'Umsatz', field: 'variables.umsatz' },
        ],
        counts: NOTHING,
        progress: 0,
        error: null,
        createdBy: { kind: 'workspace_key', userId: null, keyId: ID },
        createdAt: ISO,
        startedAt: null,
        completedAt: null,
      };
      expect(response.body).toEqual({ success: true, data: job });
      await platform.drain();
      const { _id } = dataOf<Import>(response);
      expect(await read(_id)).toEqual({
        ...job,
        status: 'completed',
        counts: { ...NOTHING, rows: 2, created: 1, invalidAddress: 1 },
        progress: 100,
        startedAt: ISO,
        completedAt: ISO,
      });
      expect(await emails()).toEqual(['ada@example.com']);
      expect(await auditedActions(platform, workspace)).toContain('leads.import_started');
    });

    it('accepts files as programs write them', async () => {
      await anotherCampaign();
      const ids: string[] = [];
      for (const [at, [, file, query]] of FILES.entries())
        ids.push((await upload(file(`p${at}@example.com`), query))._id);
      await platform.drain();
      for (const [at, [what, , , found]] of FILES.entries()) {
        const expected = { what, status: 'completed', counts: { rows: 1, created: 1 }, ...found };
        expect({ what, ...(await read(ids[at] ?? '')) }).toMatchObject(expected);
      }
      expect(await emails()).toEqual(FILES.map((_row, at) => `p${at}@example.com`));
    });

    it('stores a formula as text, and escapes it in the list of refused rows', async () => {
      await anotherCampaign();
      const { _id } = await imported("email,first name\nada@example.com,=1+1\n@x,=cmd|'/c calc'!A1\n");
      const [lead] = dataOf<{ firstName: string }[]>(await api().get(path));
      expect(lead).toMatchObject({ firstName: '=1+1' });
      const { text } = await api().get(`${path}/imports/${_id}/refused`).expect(200);
      expect(text.split('\r\n')[1]).toBe("3,invalid_address,there is nothing before @,'@x,'=cmd|'/c calc'!A1");
    });

    describe('refuses at once a file that', () => {
      beforeAll(anotherCampaign);

      it.each<[what: string, file: string | Buffer, query: Record<string, string>, field: string, message: RegExp]>([
        ['is empty', '', {}, 'file', /is empty/],
        ['has a header only', 'email,name\n', {}, 'file', /a header and no rows/],
        ['has no header', 'ada@example.com,Ada\n', {}, 'mapping', /send hasHeader=false/],
        [
          'has no header and no mapping',
          'ada@example.com\n',
          { hasHeader: 'false' },
          'mapping',
          /needs a mapping by column number/,
        ],
        [
          'has no column with addresses',
          'name,phone\nA,1\n',
          {},
          'mapping',
          /No column .* email address.*"name", "phone"/,
        ],
        ['has 10 000 columns', `email${',c'.repeat(9_999)}\na@b.de\n`, {}, 'mapping', /has 10000 columns; at most 200/],
        [
          'lacks a column of the mapping',
          'email,name\na@b.de,A\n',
          { mapping: '{"Mail":"email"}' },
          'mapping',
          /"Mail" that the file does not have/,
        ],
        ['is a workbook', Buffer.from('PK\x03\x04\x14\0\0\0'), {}, 'file', /Excel workbook/],
        ['is binary', Buffer.from('email\n\0\x01\x02'), {}, 'file', /null bytes/],
        ['never closes its first quote', '"email,name\na@b.de,A\n', {}, 'file', /opened and never closed/],
        ['comes with a mapping that is not JSON', 'email\na@b.de\n', { mapping: 'email' }, 'mapping', /JSON object/],
        [
          'comes with an unknown delimiter',
          'email\na@b.de\n',
          { delimiter: 'colon' },
          'delimiter',
          /one of auto, comma/,
        ],
        ['comes with an unknown option', 'email\na@b.de\n', { columns: '1' }, 'columns', /not a known field/],
      ])('%s', async (_what, file, query, field, message) => {
        const response = await send(file, query);
        expectFormB(response, 400, 'VALIDATION_ERROR', field);
        expect((response.body as { error: { message: string } }).error.message).toMatch(message);
        expect(await stored('lead_import_chunks').countDocuments()).toBe(0);
      });

      it('creates no import from refused files', async () => {
        expect(await api().get(`${path}/imports`)).toMatchObject({ body: { data: [] } });
      });
    });

    it.each(['application/json', 'application/octet-stream', 'multipart/form-data; boundary=x'])(
      'refuses %s',
      async (type) => {
        expectFormA(
          await api().post(`${path}/import`).set('Content-Type', type).send('email\na@b.de\n'),
          415,
          /must be text\/csv/,
        );
      },
    );

    it('refuses a compressed body', async () => {
      const request = api().post(`${path}/import`).type('text/csv').set('Content-Encoding', 'gzip');
      expectFormA(await request.send('email\na@b.de\n'), 415, /Compressed bodies are not supported/);
    });

    it.each(['an unknown', ...MALFORMED_IDS])('answers 404 to %s campaign', async (id) => {
      const campaign = id === 'an unknown' ? UNKNOWN_ID : id;
      expectFormB(
        await api().post(`/v1/campaigns/${campaign}/leads/import`).type('text/csv').send('email\na@b.de\n'),
        404,
        'NOT_FOUND',
      );
    });

    it('requires a key that may write', async () => {
      const key = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
      expectFormA(await platform.api.as(key).post(`${path}/import`).type('text/csv').send('email\na@b.de\n'), 403);
    });

    it('refuses more than 100 MB by its length, before it reads a byte', async () => {
      const response = await streamed({ 'Content-Length': String(100 * MEGABYTE + 1) }, []);
      expect(response).toMatchObject({
        status: 413,
        body: { error: 'Payload Too Large', code: 413, message: /100 MB/ },
      } as never);
      expect(await stored('lead_import_chunks').countDocuments()).toBe(0);
    });

    it(`refuses more than ${STREAMED} MB without a length, and stores nothing of them`, async () => {
      await anotherCampaign();
      expect(uploadLimit()).toBe(100 * MEGABYTE);
      const megabyte = Buffer.alloc(MEGABYTE, `${'x'.repeat(1023)}\n`);
      const parts = [Buffer.from('email\n'), ...Array.from({ length: STREAMED + 1 }, () => megabyte)];
      const upload = () => streamed({ 'Transfer-Encoding': 'chunked' }, parts);
      const response = await withUploadLimit(STREAMED * MEGABYTE, upload);
      const message = `The file is larger than ${STREAMED} MB`;
      expect(response).toMatchObject({ status: 413, body: { error: 'Payload Too Large', code: 413, message } });
      expect(await stored('lead_import_chunks').countDocuments()).toBe(0);
      expect(await api().get(`${path}/imports`)).toMatchObject({ body: { data: [] } });
    });

    it('stores nothing of an aborted upload', async () => {
      const { request, response } = open({ 'Transfer-Encoding': 'chunked' });
      request.write('email\n');
      request.write(Buffer.alloc(2 * MEGABYTE, 'a@example.com\n'));
      const chunks = stored('lead_import_chunks');
      await eventually('a part of the upload is stored', async () => (await chunks.countDocuments()) > 0);
      request.destroy();
      await expect(response).rejects.toThrow(/socket hang up|aborted/);
      await eventually('no part of the upload is stored', async () => (await chunks.countDocuments()) === 0);
      expect(platform.logged()).not.toContain('Request failed');
    });

    it('replays the response for the same Idempotency-Key, and refuses it for another file', async () => {
      const keyed = (file: string) => send(file).set('Idempotency-Key', `import-${path}`);
      const first = await keyed('email\nada@example.com\n').expect(202);
      const again = await keyed('email\nada@example.com\n').expect(202);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.body).toEqual(first.body);
      expectFormB(await keyed('email\nlonger@example.com\n'), 422, 'IDEMPOTENCY_KEY_REUSED');
      await platform.drain();
    });

    function open(headers: Record<string, string>) {
      const { port } = platform.app.getHttpServer().address() as AddressInfo;
      const request = httpRequest({
        port,
        host: '127.0.0.1',
        path: `${path}/import`,
        method: 'POST',
        headers: { 'X-Api-Key': workspace.key, 'Content-Type': 'text/csv', ...headers },
      });
      const response = new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
        request.on('error', reject);
        request.on('response', (incoming) => {
          incoming
            .toArray()
            .then((parts) =>
              resolve({ status: incoming.statusCode, body: JSON.parse(Buffer.concat(parts).toString()) as unknown }),
            )
            .catch(reject);
        });
      });
      response.catch(() => undefined);
      return { request, response };
    }

    async function streamed(headers: Record<string, string>, parts: Buffer[]) {
      const { request, response } = open(headers);
      request.flushHeaders();
      for (const part of parts) {
        if (!request.write(part)) await new Promise((resolve) => request.once('drain', resolve));
      }
      if (parts.length > 0) request.end();
      const answer = await response;
      request.destroy();
      return answer;
    }
  });

  describe('GET /v1/campaigns/{id}/leads/imports', () => {
    it('lists the imports of the campaign, newest first, page by page', async () => {
      await anotherCampaign();
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) ids.unshift((await upload(`email\na${count}@example.com\n`))._id);
      await platform.drain();
      const other = await newCampaign(platform, workspace);
      const first = await api().get(`${path}/imports?limit=2`).expect(200);
      const { data, pagination } = first.body as { data: Import[]; pagination: { nextCursor: string; total: number } };
      const next = await api().get(`${path}/imports?limit=2&cursor=${pagination.nextCursor}`).expect(200);
      expect([...data, ...dataOf<Import[]>(next)].map(({ _id }) => _id)).toEqual(ids);
      expect(pagination.total).toBe(3);
      expect(dataOf(await api().get(`/v1/campaigns/${other._id}/leads/imports`))).toEqual([]);
      expectFormB(await api().get(`/v1/campaigns/${UNKNOWN_ID}/leads/imports`), 404, 'NOT_FOUND');
    });
  });

  describe('a single import', () => {
    let importId: string;
    let elsewhere: string;
    let foreign: ReturnType<typeof api>;

    beforeAll(async () => {
      importId = (await imported('email\nada@example.com\n'))._id;
      elsewhere = `/v1/campaigns/${(await newCampaign(platform, workspace))._id}/leads`;
      foreign = platform.api.as((await platform.seed.workspace()).key);
    });

    it.each([
      ['get', ''],
      ['post', '/cancel'],
      ['get', '/refused'],
    ] as const)(
      '%s …%s answers 404 to an unknown import, another campaign’s and another workspace’s',
      async (method, action) => {
        for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
          expectFormB(await api()[method](`${path}/imports/${id}${action}`), 404, 'NOT_FOUND');
        }
        expectFormB(await api()[method](`${elsewhere}/imports/${importId}${action}`), 404, 'NOT_FOUND');
        expectFormB(await foreign[method](`${path}/imports/${importId}${action}`), 404, 'NOT_FOUND');
      },
    );
  });

  describe('GET …/imports/{importId}/refused', () => {
    it('downloads the refused rows unchanged, with number, reason and detail', async () => {
      await anotherCampaign();
      const { _id } = await imported('Name;Email;Note\nA;a@example.com;\nB;A@Example.com;"x;\ny"\n\nC\nD;d@;z\n');
      const response = await api().get(`${path}/imports/${_id}/refused`).expect(200);
      expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(response.headers['content-disposition']).toBe('attachment; filename="refused-rows.csv"');
      expect(response.text).toBe(
        [
          '\ufeffimportRow;importReason;importDetail;Name;Email;Note',
          '3;duplicate;;B;A@Example.com;"x;\ny"',
          '5;missing_columns;the row has 1 of 3 columns and ends before the address;C',
          '6;invalid_address;there is nothing after @;D;d@;z',
          '',
        ].join('\r\n'),
      );
    });

    it('has only a header if no row was refused', async () => {
      const { _id } = await imported('email\nnobody-else@example.com\n');
      expect((await api().get(`${path}/imports/${_id}/refused`)).text).toBe(
        '\ufeffimportRow,importReason,importDetail,email\r\n',
      );
    });
  });

  describe('POST …/imports/{importId}/cancel', () => {
    it('ends an unfinished import and deletes its file; repeating it changes nothing', async () => {
      await anotherCampaign();
      await platform.app.get(QueuesService).get('lead-import').pause();
      const { _id } = await upload('email\nada@example.com\n');
      const cancelled = dataOf<Import>(await api().post(`${path}/imports/${_id}/cancel`).expect(200));
      expect(cancelled).toMatchObject({ status: 'cancelled', counts: NOTHING, completedAt: ISO });
      expect(dataOf(await api().post(`${path}/imports/${_id}/cancel`).expect(200))).toEqual(cancelled);
      expect(await stored('lead_import_chunks').countDocuments()).toBe(0);
      await platform.app.get(QueuesService).get('lead-import').resume();
      await platform.drain();
      expect(await read(_id)).toEqual(cancelled);
      expect(await emails()).toEqual([]);
      expect(
        (await auditedActions(platform, workspace)).filter((action) => action === 'leads.import_cancelled'),
      ).toHaveLength(1);
    });

    it('refuses to cancel a completed import, with the reason', async () => {
      const { _id } = await imported('email\nada@example.com\n');
      const response = await api().post(`${path}/imports/${_id}/cancel`);
      expectFormB(response, 409, 'CONFLICT');
      expect((response.body as { error: { message: string } }).error.message).toMatch(/This import is completed/);
    });
  });

  it('completes although its job was lost with all of Redis', async () => {
    await platform.app.get(QueuesService).get('lead-import').pause();
    const { _id } = await upload('email\nlost@example.com\n');
    await platform.app.get(QueuesService).get('lead-import').obliterate({ force: true });
    await platform.app.get(QueuesService).get('lead-import').resume();
    await platform.drain();
    expect(await read(_id)).toMatchObject({ status: 'pending' });
    platform.clock.advance(5_000);
    await platform.tick();
    await platform.drain();
    expect(await read(_id)).toMatchObject({ status: 'completed', counts: { created: 1 } });
  });
});
