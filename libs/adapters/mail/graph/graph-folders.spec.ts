import { errorReply } from './testing/graph-answers';
import { GraphTestTime } from './testing/graph-time';
import { type GraphWorld, openGraphWorld } from './testing/graph-test-environment';

describe('a folder that is made in a mailbox of Microsoft Graph', () => {
  let world: GraphWorld;
  beforeEach(async () => {
    world = await openGraphWorld({ time: new GraphTestTime() });
  });
  afterEach(() => world.close());

  const ensure = (name: string) => world.session.ensureFolder(name);
  const called = (name: string) => world.mailbox.folders.filter(({ displayName }) => displayName === name);
  const creations = () => world.mailbox.requests.filter(({ method }) => method === 'POST').length;
  const exists = errorReply(409, 'ErrorFolderExists', 'A folder with the specified name already exists.');

  it('lies at the top, where people see it', async () => {
    const folder = await ensure('Warmup');
    expect(called('Warmup')).toMatchObject([{ id: folder.id, parent: null, isHidden: false }]);
  });

  it('is not one of that name below another', async () => {
    const clients = world.mailbox.addFolder('Clients');
    const below = world.mailbox.addFolder('Warmup', { parent: clients.id });
    expect((await ensure('Warmup')).id).not.toBe(below.id);
    expect(called('Warmup')).toHaveLength(2);
  });

  it.each([
    ['in another case', 'WARMUP', {}],
    ['that is hidden', 'Warmup', { isHidden: true }],
  ])('is the one %s: Exchange takes no second one', async (_what, name, options) => {
    const { id } = world.mailbox.addFolder(name, options);
    expect(await ensure('Warmup')).toEqual({ id, name, role: null });
    expect(creations()).toBe(0);
  });

  it('is found among hundreds', async () => {
    for (let count = 0; count < 120; count++) world.mailbox.addFolder(`Customer ${count}`);
    const { id } = world.mailbox.addFolder('Warmup');
    expect((await ensure('Warmup')).id).toBe(id);
  });

  it('is the one that another has made between the look and the request', async () => {
    world.mailbox.faults.push({ on: /^POST .*mailFolders$/, carriedOut: true, does: exists });
    expect(await ensure('Warmup')).toEqual({ id: called('Warmup')[0]?.id, name: 'Warmup', role: null });
  });

  it('is made once when the answer is lost', async () => {
    world.mailbox.faults.push({ on: /^POST .*mailFolders$/, carriedOut: true, does: 'reset' });
    expect(await ensure('Warmup')).toMatchObject({ name: 'Warmup' });
    expect(called('Warmup')).toHaveLength(1);
    expect(creations()).toBe(2);
  });

  it.each([
    ['a name that is there and is not shown', exists],
    ['a name that it does not like', errorReply(400, 'ErrorInvalidRequest', 'The name is not valid.')],
  ])('is refused for good in the words of Graph: %s', async (_what, does) => {
    world.mailbox.faults.push({ on: /^POST/, does });
    const { code, message } = (does.body as { error: { code: string; message: string } }).error;
    const lastReply = { code: String(does.status), command: 'POST /mailFolders', response: `${code}: ${message}` };
    await expect(ensure('Warmup')).rejects.toMatchObject({ failure: 'permanent', lastReply });
    expect(creations()).toBe(1);
  });

  it('fails for now when the answer does not name it, and is found the next time', async () => {
    world.mailbox.faults.push({ on: /^POST/, carriedOut: true, does: { status: 201, body: {} } });
    await expect(ensure('Warmup')).rejects.toMatchObject({ failure: 'temporary' });
    expect(await ensure('Warmup')).toMatchObject({ name: 'Warmup' });
    expect(called('Warmup')).toHaveLength(1);
  });
});
