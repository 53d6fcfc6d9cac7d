import { LogService, rootLogger } from '@platform/observability';
import { readDocument } from '../openapi/document';
import { type PlatformAnswer } from '../platform/platform.client';
import { ToolRefusedError } from '../platform/tool-refused.errors';
import { type ToolRequest } from './request';
import { getTools } from './tool';
import { ToolCaller } from './tool-caller';

const tools = getTools(readDocument(), { readOnly: false });
const waiting = new AbortController().signal;

type Answering = (request: ToolRequest, signal: AbortSignal) => PlatformAnswer | Promise<PlatformAnswer>;

function calling(answer: Answering, timeoutMs = 60_000) {
  const asked: string[] = [];
  let logged = '';
  const platform = {
    request: async (request: ToolRequest, signal: AbortSignal) => {
      asked.push(`${request.method} ${request.path}`);
      return answer(request, signal);
    },
  };
  const log = new LogService(rootLogger({ level: 'debug', app: 'mcp', write: (line) => (logged += line) }));
  const calls = new ToolCaller(platform, { timeoutMs }, log);
  const run = (name: string, given: Record<string, unknown> = {}, signal = waiting) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new Error(`There is no tool ${name}`);
    return calls.run(tool, given, signal);
  };
  return { run, asked, logged: () => logged };
}

const untilAborted: Answering = (_request, signal) =>
  new Promise((_resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  });

const [ID, OTHER] = ['6b02b7001f823208a919770c', '6b02b7001f823208a919770d'];

const leads = { campaignId: ID, leads: [{ email: 'ann@leads.test' }] };

describe('ToolCaller', () => {
  it.each(['draft', 'paused'])('adds leads to a %s campaign', async (status) => {
    const { run, asked } = calling(() => ({ data: { status } }));
    expect((await run('add_leads', leads)).isError).toBeUndefined();
    expect(asked).toEqual([`GET /v1/campaigns/${ID}`, `POST /v1/campaigns/${ID}/leads`]);
  });

  it.each(['active', 'completed', 'archived', undefined])(
    'adds no leads to a campaign with the status %s',
    async (status) => {
      const { run, asked } = calling(() => ({ data: { status } }));
      expect(await run('add_leads', leads)).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'NOT_NOW', message: expect.stringContaining(`it is ${status}`) } },
      });
      expect(asked).toEqual([`GET /v1/campaigns/${ID}`]);
    },
  );

  it('passes on only the offered arguments', async () => {
    const { run, asked } = calling(() => ({ data: {} }));
    for (const more of [{ status: 'active' }, { verification: { mode: 'on' } }]) {
      expect(await run('create_campaign', { name: 'A', ...more })).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'INVALID_ARGUMENT' } },
      });
    }
    expect(await run('mark_conversation', { conversationId: ID, label: 'positive' })).toMatchObject({
      isError: true,
    });
    expect(asked).toEqual([]);
  });

  it('requests fewer records when the page is too large, so that the cursor stays valid', async () => {
    const record = { text: 'x'.repeat(7_000) };
    const { run, asked } = calling(({ path }) => {
      const limit = Number(new URL(path, 'http://platform.test').searchParams.get('limit'));
      return {
        data: Array.from({ length: limit }, () => record),
        pagination: { total: 99, nextCursor: `after-${limit}` },
      };
    });
    const result = await run('list_leads', { campaignId: ID, limit: 100 });
    expect(asked).toEqual([`GET /v1/campaigns/${ID}/leads?limit=100`, `GET /v1/campaigns/${ID}/leads?limit=8`]);
    expect(result.structuredContent).toMatchObject({ pagination: { nextCursor: 'after-8' } });
    expect(JSON.stringify(result.content)).toContain('8 of 99; more with the cursor after-8');
  });

  it('does not shrink numbered pages, because the next page would skip records', async () => {
    const { run, asked } = calling(() => ({ data: Array.from({ length: 100 }, () => ({ text: 'x'.repeat(700) })) }));
    const { structuredContent } = await run('list_enrichment_jobs', { page: 2, limit: 100 });
    expect(asked).toEqual(['GET /v1/enrichment/jobs?page=2&limit=100']);
    expect(structuredContent).toMatchObject({ notice: 'Long texts were cut.' });
  });

  it('cuts texts when records cannot be omitted, and reports data that remains too large', async () => {
    const growing = calling(() => ({ data: Array.from({ length: 50 }, () => ({ text: 'x'.repeat(7_000) })) }));
    expect(await growing.run('list_leads', { campaignId: ID })).toMatchObject({
      structuredContent: { notice: expect.stringContaining('Long texts were cut') },
    });
    expect(growing.asked).toHaveLength(4);
    const huge = calling(() => ({ data: { days: Array.from({ length: 9_000 }, (_, day) => ({ day })) } }));
    expect(await huge.run('get_campaign_timeline', { campaignId: ID })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'ANSWER_TOO_LARGE' } },
    });
  });

  it('removes the HTML of mails and secrets', async () => {
    const message = { html: '<p hidden>Do this</p>', text: 'Your key is sk_0123456789abcdef0123' };
    const { run } = calling(() => ({ data: { messages: [message] } }));
    const { structuredContent } = await run('read_conversation', { conversationId: ID });
    expect(structuredContent).toMatchObject({ data: { messages: [{ text: 'Your key is sk_[removed]' }] } });
    expect(JSON.stringify(structuredContent)).not.toContain('hidden');
  });

  it.each([
    ['get_campaign', { campaignId: ID }, 'There was no response within 5 ms.'],
    ['pause_campaign', { campaignId: ID }, 'check before you retry'],
  ])('stops %s at the timeout and reports the unknown outcome', async (name, given, said) => {
    const { run } = calling(untilAborted, 5);
    expect(await run(name, given)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'TIMEOUT', message: expect.stringContaining(said) } },
    });
  });

  it('ends when the caller aborts', async () => {
    const caller = new AbortController();
    const { run } = calling(untilAborted);
    const running = run('get_campaign', { campaignId: ID }, caller.signal);
    caller.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
  });

  it('logs tool and result without any content', async () => {
    const refused = new ToolRefusedError({ code: 'NOT_FOUND', message: 'No lead ann@leads.test' });
    const { run, logged } = calling(({ path }) => {
      if (path.includes(OTHER)) throw refused;
      return { data: { email: 'ann@leads.test' } };
    });
    await run('get_lead', { campaignId: ID, leadId: ID });
    await run('get_lead', { campaignId: ID, leadId: OTHER });
    expect(logged()).toMatch(/"tool":"get_lead".*"msg":"Answered"/);
    expect(logged()).toMatch(/"tool":"get_lead","code":"NOT_FOUND".*"msg":"Refused"/);
    expect(logged()).not.toContain('ann@leads.test');
  });

  it('does not report an internal error as a rejection', async () => {
    const { run, logged } = calling(() => {
      throw new TypeError('a mistake');
    });
    await expect(run('list_campaigns')).rejects.toThrow('a mistake');
    expect(logged()).toMatch(/"level":"error".*"tool":"list_campaigns".*TypeError/);
  });
});
