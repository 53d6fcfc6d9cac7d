import { Injectable, Module, type Provider } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { HookPoint, Listens } from './hook-point';
import { HookRegistry, REQUIRED_POINTS } from './hook.registry';
import { HooksModule } from './hooks.module';

interface DoorHooks {
  opened?(by: string): Promise<string>;
  closed?(): Promise<void>;
}
interface Cook {
  readonly dish: string;
}

const DOOR = new HookPoint<DoorHooks>('door');
const COOKS = new HookPoint<Cook>('cooks', { key: 'dish' });
const GUARD = new HookPoint<DoorHooks>('guard', { listeners: 'one' });

const calls: string[] = [];

@Injectable()
@Listens(DOOR)
class Upper implements DoorHooks {
  opened(by: string): Promise<string> {
    calls.push(`upper ${by}`);
    return Promise.resolve('upper');
  }
}

@Injectable()
@Listens(DOOR)
@Listens(COOKS)
@Listens(GUARD)
class Lower implements DoorHooks, Cook {
  readonly dish = 'soup';

  async opened(by: string): Promise<string> {
    await Promise.resolve();
    calls.push(`lower ${by}`);
    if (by === 'nobody') throw new Error('Who is there?');
    return 'lower';
  }

  closed(): Promise<void> {
    calls.push('closed');
    return Promise.resolve();
  }
}

@Injectable()
@Listens(COOKS)
class OtherCook implements Cook {
  readonly dish = 'soup';
}

@Injectable()
@Listens(GUARD)
class OtherGuard implements DoorHooks {
  closed = () => Promise.resolve();
}

@Module({ providers: [Lower], exports: [Lower] })
class LowerModule {}

@Module({ imports: [LowerModule], providers: [Upper, { provide: 'alias', useExisting: Lower }] })
class UpperModule {}

const build = (providers: Provider[] = [], imports: (typeof LowerModule)[] = [UpperModule]) =>
  Test.createTestingModule({ imports: [HooksModule, ...imports], providers }).compile();
const start = async (...args: Parameters<typeof build>) => (await (await build(...args)).init()).get(HookRegistry);
/** A process that has one of its own hook registries, which requires listeners. */
const requiring = (...points: HookPoint<never>[]): Provider[] => [
  { provide: REQUIRED_POINTS, useValue: points },
  HookRegistry,
];

describe('hook points', () => {
  beforeEach(() => (calls.length = 0));

  it('call their listeners one after the other, those of lower domains first, and return the results', async () => {
    const hooks = await start();
    expect(await hooks.call(DOOR, 'opened', 'ada')).toEqual(['lower', 'upper']);
    expect(calls).toEqual(['lower ada', 'upper ada']);
  });

  it('skip listeners without the method, and stop at the first error', async () => {
    const hooks = await start();
    await hooks.call(DOOR, 'closed');
    expect(calls).toEqual(['closed']);
    await expect(hooks.call(DOOR, 'opened', 'nobody')).rejects.toThrow('Who is there?');
    expect(calls).toEqual(['closed', 'lower nobody']);
  });

  it('find the one listener of a key', async () => {
    const hooks = await start();
    expect(hooks.get(COOKS, 'soup')).toBeInstanceOf(Lower);
    expect(() => hooks.get(COOKS, 'cake')).toThrow('Hook point cooks has no listener for cake');
  });

  it('have no listeners where none is provided', async () => {
    const hooks = await start([], []);
    expect(hooks.list(DOOR)).toEqual([]);
    expect(await hooks.call(DOOR, 'opened', 'ada')).toEqual([]);
  });

  it('cannot be called before the process has started', async () => {
    const hooks = (await build()).get(HookRegistry);
    expect(() => hooks.list(DOOR)).toThrow('Hook point door is called before the process has started');
  });
});

describe('a process', () => {
  it('refuses to start with two listeners of one key, or one class that is provided twice', async () => {
    await expect(start([OtherCook])).rejects.toThrow('Hook point cooks has a second listener like OtherCook');
    await expect(start([Upper])).rejects.toThrow('Hook point door has a second listener like Upper');
  });

  it('refuses to start without a required listener, or with two where there must be one', async () => {
    await expect(start(requiring(DOOR, GUARD) as never, [])).rejects.toThrow(
      'Hook point door has no listener\nHook point guard has no listener',
    );
    await expect(start([...requiring(GUARD), OtherGuard])).rejects.toThrow(
      'Hook point guard has several listeners: Lower, OtherGuard',
    );
    await expect(start(requiring(DOOR, COOKS, GUARD))).resolves.toBeInstanceOf(HookRegistry);
  });
});
