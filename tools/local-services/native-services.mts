import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient, type Document } from 'mongodb';
import { redisArguments, type RunningService } from './debian-services.mts';
import { untilAccepts } from './ports.mts';
import { onFreePort, whileStopping, type ServiceContext } from './postgres.mts';
import { dyingWithParent, ServiceProcess } from './processes.mts';

/** MongoDB's answer to a command that needs a replica set when there is none. */
const NOT_YET_INITIALIZED = 94;

/** The installed `mongod` as a replica set of one: transactions need a set. */
export function startNativeMongo(mongod: string, context: ServiceContext): Promise<RunningService> {
  return onFreePort(async (port) => {
    const folder = join(context.dataDir, 'mongod');
    await mkdir(folder, { recursive: true });
    const options = ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', 'local'];
    const [command, args] = dyingWithParent(mongod, options);
    const process = new ServiceProcess({ name: 'mongod', command, args, logFile: context.logFile });
    await whileStopping(process, async () => {
      await untilAccepts(port, () => process.assertRunning());
      await initiateReplicaSet(`mongodb://127.0.0.1:${port}/?directConnection=true`, `127.0.0.1:${port}`);
    });
    return {
      url: `mongodb://127.0.0.1:${port}/?directConnection=true`,
      onCrash: (listener) => process.onCrash(listener),
      stop: () => process.stop(),
    };
  });
}

export function startNativeRedis(redisServer: string, context: ServiceContext): Promise<RunningService> {
  return onFreePort(async (port) => {
    const folder = join(context.dataDir, 'redis');
    await mkdir(folder, { recursive: true });
    const [command, args] = dyingWithParent(redisServer, redisArguments(port, folder));
    const process = new ServiceProcess({ name: 'redis', command, args, logFile: context.logFile });
    await whileStopping(process, () => untilAccepts(port, () => process.assertRunning()));
    return {
      url: `redis://127.0.0.1:${port}`,
      onCrash: (listener) => process.onCrash(listener),
      stop: () => process.stop(),
    };
  });
}

/** Makes the server at `url` a replica set with the one member `member`, whatever its earlier name. */
export async function initiateReplicaSet(url: string, member: string): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 30_000 });
  try {
    const admin = client.db('admin');
    const config = await admin.command({ replSetGetConfig: 1 }).then(
      (answer): Document => answer['config'] as Document,
      (error: { code?: number }) => {
        if (error.code === NOT_YET_INITIALIZED) return undefined;
        throw error;
      },
    );
    const members = [{ _id: 0, host: member }];
    if (!config) await admin.command({ replSetInitiate: { _id: 'local', members } });
    else if (config['members']?.[0]?.host !== member) {
      const changed = { ...config, version: Number(config['version']) + 1, members };
      await admin.command({ replSetReconfig: changed, force: true });
    }
    const deadline = Date.now() + 30_000;
    while (!(await admin.command({ hello: 1 }))['isWritablePrimary']) {
      if (Date.now() > deadline) throw new Error('mongod did not become primary within 30 s');
      await new Promise((done) => setTimeout(done, 100));
    }
  } finally {
    await client.close();
  }
}
