import { randomBytes } from 'node:crypto';
import { getConnectionToken } from '@nestjs/mongoose';
import { SecretRotationService } from '@platform/secrets';
import { type Connection, Types } from 'mongoose';
import {
  readContent,
  expectFormB,
  type Platform,
  type SeededWorkspace,
  sharedPlatform,
  startTestWorker,
} from '../harness';
import { auditedActions, dataOf, ISO, newMember } from '../workspaces/people';
import { TOOL } from './tools';
import { type Tool } from './tool-responses';

const URL_OF_TABLE = 'https://tables.example.com/v3/sources/webhook/canary-table-id';
const SETTINGS = {
  webhookUrl: URL_OF_TABLE,
  authToken: 'canary-table-token',
  signingSecret: 'canary-signing-secret',
  mapping: { title: 'jobTitle', 'company.name': 'companyName', funding: 'funding_round' },
};

describe('the settings of the enrichment tool', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());
  beforeEach(() => toolsOf().deleteMany({ workspaceId: new Types.ObjectId(workspace.workspaceId) }));

  const api = () => platform.api.as(workspace.key);
  const set = (settings: object = SETTINGS) => api().put(TOOL).send(settings);
  const toolsOf = () => platform.app.get<Connection>(getConnectionToken()).collection('enrichment_tools');
  const stored = async (): Promise<Record<string, unknown> | undefined> => {
    const all = await toolsOf()
      .find({ workspaceId: new Types.ObjectId(workspace.workspaceId) })
      .toArray();
    return all[0];
  };

  it('are shown without secrets, on writes and on reads', async () => {
    const shown = {
      enabled: true,
      host: 'tables.example.com',
      hasAuthToken: true,
      hasSigningSecret: true,
      mapping: SETTINGS.mapping,
      overwrite: false,
      waitHours: 24,
      createdAt: ISO,
      updatedAt: ISO,
    };
    const answer = await set().expect(200);
    expect(dataOf<Tool>(answer)).toEqual(shown);
    const read = await api().get(TOOL).expect(200);
    expect(dataOf<Tool>(read)).toEqual(shown);
    expect(JSON.stringify([answer.body, read.body])).not.toContain('canary');
  });

  it('are empty before the first write and after their removal', async () => {
    expectFormB(await api().get(TOOL), 404, 'NOT_FOUND');
    expectFormB(await api().delete(TOOL), 404, 'NOT_FOUND');
    await set().expect(200);
    expect(dataOf(await api().delete(TOOL).expect(200))).toEqual({ message: 'Enrichment tool removed' });
    expectFormB(await api().get(TOOL), 404, 'NOT_FOUND');
    expect(await stored()).toBeUndefined();
    expectFormB(await api().delete(TOOL), 404, 'NOT_FOUND');
  });

  it('are replaced as a whole, except secrets that are not given', async () => {
    await set({ ...SETTINGS, overwrite: true, waitHours: 48, enabled: false }).expect(200);
    const before = await stored();
    expect(dataOf<Tool>(await set({ mapping: { role: 'jobTitle' } }).expect(200))).toMatchObject({
      enabled: true,
      host: 'tables.example.com',
      hasAuthToken: true,
      hasSigningSecret: true,
      mapping: { role: 'jobTitle' },
      overwrite: false,
      waitHours: 24,
    });
    const { webhookUrl, authToken, signingSecret } = (await stored()) ?? {};
    expect(before).toMatchObject({ webhookUrl, authToken, signingSecret });
  });

  it('keep the token only for its own address, and delete a secret that is null', async () => {
    await set().expect(200);
    const { mapping } = SETTINGS;
    expect(dataOf<Tool>(await set({ mapping, webhookUrl: URL_OF_TABLE }))).toMatchObject({ hasAuthToken: true });
    const elsewhere = await set({ mapping, webhookUrl: 'https://elsewhere.example.com:8443/hook' });
    expect(dataOf<Tool>(elsewhere)).toMatchObject({ host: 'elsewhere.example.com:8443', hasAuthToken: false });
    await set().expect(200);
    const without = await set({ mapping, authToken: null, signingSecret: null });
    expect(dataOf<Tool>(without)).toMatchObject({ hasAuthToken: false, hasSigningSecret: false });
  });

  it.each([
    ['no mapping', { mapping: undefined }, 'mapping'],
    ['an empty mapping', { mapping: {} }, 'mapping'],
    ['a mapping that is not an object', { mapping: ['jobTitle'] }, 'mapping'],
    ['the address as a target', { mapping: { mail: 'email' } }, 'mapping.mail'],
    ['one target twice', { mapping: { a: 'city', b: 'city' } }, 'mapping.b'],
    ['a target that is not a string', { mapping: { a: { b: 'city' } } }, 'mapping.a'],
    ['no address in the first write', { webhookUrl: undefined }, 'webhookUrl'],
    ['another scheme', { webhookUrl: 'file:///etc/passwd' }, 'webhookUrl'],
    ['an address with a password', { webhookUrl: 'https://a:b@tables.example.com/' }, 'webhookUrl'],
    ['the address of a metadata service', { webhookUrl: 'http://169.254.169.254/latest/' }, 'webhookUrl'],
    ['a token that fits no header', { authToken: 'two words' }, 'authToken'],
    ['an empty token', { authToken: '' }, 'authToken'],
    ['a short secret', { signingSecret: 'x'.repeat(15) }, 'signingSecret'],
    ['a long secret', { signingSecret: 'x'.repeat(201) }, 'signingSecret'],
    ['a waiting time of zero', { waitHours: 0 }, 'waitHours'],
    ['a waiting time longer than a job lasts', { waitHours: 145 }, 'waitHours'],
    ['an invalid flag', { overwrite: 'yes' }, 'overwrite'],
    ['an unknown field', { cooldownUntil: null }, 'cooldownUntil'],
  ])('are refused with %s', async (_what, settings, field) => {
    expectFormB(await set({ ...SETTINGS, ...settings }), 400, 'VALIDATION_ERROR', field);
    expect(await stored()).toBeUndefined();
  });

  it('require an admin', async () => {
    await set().expect(200);
    const member = platform.api.as((await newMember(platform, workspace)).key).in(workspace.workspaceId);
    await member.get(TOOL).expect(403);
    await member.put(TOOL).send(SETTINGS).expect(403);
    await member.delete(TOOL).expect(403);
    const admin = platform.api.as((await newMember(platform, workspace, 'admin')).key).in(workspace.workspaceId);
    await admin.get(TOOL).expect(200);
  });

  it('belong to one workspace', async () => {
    await set().expect(200);
    const other = await platform.seed.workspace();
    expectFormB(await platform.api.as(other.key).get(TOOL), 404, 'NOT_FOUND');
    expectFormB(await platform.api.as(other.key).delete(TOOL), 404, 'NOT_FOUND');
    await api().get(TOOL).expect(200);
  });

  it('end as one complete version after two parallel writes', async () => {
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => set({ ...SETTINGS, mapping: { [name]: 'city' } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { mapping } = dataOf<Tool>(await api().get(TOOL));
    expect(Object.values(mapping)).toEqual(['city']);
  });

  it('are recorded in the audit log without secrets', async () => {
    await set().expect(200);
    await api().delete(TOOL).expect(200);
    expect((await auditedActions(platform, workspace)).slice(0, 2)).toEqual([
      'enrichment_tool.removed',
      'enrichment_tool.set',
    ]);
    const { audit_entries } = await readContent(platform.app.get<Connection>(getConnectionToken()).db!);
    expect(JSON.stringify(audit_entries)).not.toContain('canary');
  });

  it('are stored encrypted, and encrypted again after a key rotation', async () => {
    await set().expect(200);
    const before = await stored();
    expect(JSON.stringify(before)).not.toContain('canary');
    const keys = `k2:${randomBytes(32).toString('base64')},${platform.config.secretKeys}`;
    const worker = await startTestWorker(platform, { consuming: false, env: { SECRET_KEYS: keys } });
    try {
      const { failed, keysInUse } = await worker.get(SecretRotationService).run({ dryRun: false });
      expect({ failed, keys: Object.keys(keysInUse) }).toEqual({ failed: 0, keys: ['k2'] });
      const after = await stored();
      for (const secret of ['webhookUrl', 'authToken', 'signingSecret']) {
        expect(after?.[secret]).toMatch(/^v1\.k2\./);
        expect(before?.[secret]).toMatch(/^v1\.k1\./);
      }
    } finally {
      await worker.close();
    }
    expect(platform.logged()).not.toContain('canary');
  });
});
