import { errorReply } from './testing/graph-answers';
import { GraphTestTime } from './testing/graph-time';
import { type GraphTestEnvironment, openGraphTestEnvironment } from './testing/graph-test-environment';

describe('a folder created in a mailbox of Microsoft Graph', () => {
  let environment: GraphTestEnvironment;
  beforeEach(async () => {
    environment = await openGraphTestEnvironment({ time: new GraphTestTime() });
  });
  afterEach(() => environment.close());

  const ensure = (name: string) => environment.session.ensureFolder(name);
  const called = (name: string) => environment.mailbox.folders.filter(({ displayName }) => displayName === name);
  const creations = () => environment.mailbox.requests.filter(({ method }) => method === 'POST').length;
  const exists = errorReply(409, 'ErrorFolderExists', 'A folder with the specified name already exists.');

  it('is created at the top level, where users see it', async () => {
    const folder = await ensure('Warmup');
    expect(called('Warmup')).toMatchObject([{ id: folder.id, parent: null, isHidden: false }]);
  });

  it('is not an existing subfolder with that name', async () => {
    const clients = environment.mailbox.addFolder('Clients');
    const below = environment.mailbox.addFolder('Warmup', { parent: clients.id });
    expect((await ensure('Warmup')).id).not.toBe(below.id);
    expect(called('Warmup')).toHaveLength(2);
  });

  it.each([
    ['in another case', 'WARMUP', {}],
    ['that is hidden', 'Warmup', { isHidden: true }],
  ])('is the existing one %s, because Exchange allows no second one', async (_what, name, options) => {
    const { id } = environment.mailbox.addFolder(name, options);
    expect(await ensure('Warmup')).toEqual({ id, name, role: null });
    expect(creations()).toBe(0);
  });

  it('is found among hundreds of folders', async () => {
    for (let count = 0; count < 120; count++) environment.mailbox.addFolder(`Customer ${count}`);
    const { id } = environment.mailbox.addFolder('Warmup');
    expect((await ensure('Warmup')).id).toBe(id);
  });

  it('is the one that another client created between the lookup and the request', async () => {
    environment.mailbox.faults.push({ on: /^POST .*mailFolders$/, carriedOut: true, does: exists });
    expect(await ensure('Warmup')).toEqual({ id: called('Warmup')[0]?.id, name: 'Warmup', role: null });
  });

  it('is created once when the response is lost', async () => {
    environment.mailbox.faults.push({ on: /^POST .*mailFolders$/, carriedOut: true, does: 'reset' });
    expect(await ensure('Warmup')).toMatchObject({ name: 'Warmup' });
    expect(called('Warmup')).toHaveLength(1);
    expect(creations()).toBe(2);
  });

  it.each([
    ['a name that is there and is not shown', exists],
    ['a name that it does not like', errorReply(400, 'ErrorInvalidRequest', 'The name is not valid.')],
  ])('is refused permanently with Graph’s message: %s', async (_what, does) => {
    environment.mailbox.faults.push({ on: /^POST/, does });
    const { code, message } = (does.body as { error: { code: string; message: string } }).error;
    const lastReply = { code: String(does.status), command: 'POST /mailFolders', response: `${code}: ${message}` };
    await expect(ensure('Warmup')).rejects.toMatchObject({ failure: 'permanent', lastReply });
    expect(creations()).toBe(1);
  });

  it('fails temporarily when the response does not contain it, and is found on the next attempt', async () => {
    environment.mailbox.faults.push({ on: /^POST/, carriedOut: true, does: { status: 201, body: {} } });
    await expect(ensure('Warmup')).rejects.toMatchObject({ failure: 'temporary' });
    expect(await ensure('Warmup')).toMatchObject({ name: 'Warmup' });
    expect(called('Warmup')).toHaveLength(1);
  });
});
