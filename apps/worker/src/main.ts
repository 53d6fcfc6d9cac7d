import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { EventFollower } from '@domain/events';
import { MailboxWatchers } from '@domain/mailboxes';
import { Config, loadAllAssets } from '@platform/config';
import { runProcess, type RunningProcess } from '@platform/lifecycle';
import { HealthChecks, Log, NestLog, OpsServer } from '@platform/observability';
import { HeldStart, JobRunner } from './jobs';
import { startWorker } from './worker.start';
import { WorkerModule } from './worker.module';

async function start(): Promise<RunningProcess> {
  const app = await NestFactory.createApplicationContext(WorkerModule, { bufferLogs: true, abortOnError: false });
  app.useLogger(app.get(NestLog));
  const config = app.get(Config);
  loadAllAssets(config.assetsDir);
  const log = app.get(Log);
  await startWorker(app);
  const port = await app.get(OpsServer).listen(config.workerPort, config.opsHost);
  log.info('Worker is ready', { port });
  const stopWithinMs = config.shutdownTimeoutSeconds * 1000;
  return {
    log,
    stopWithinMs,
    ended: app.get(HeldStart).heldAgain,
    stop: async () => {
      app.get(HealthChecks).stopping();
      // Jobs that listen to their signal get the last fifth of the time to stop at a safe point.
      const abort = setTimeout(() => app.get(JobRunner).abort(), stopWithinMs * 0.8);
      await Promise.all([
        app.get(JobRunner).drain(),
        app.get(MailboxWatchers, { strict: false }).stop(),
        app.get(EventFollower, { strict: false }).stop(),
      ]);
      clearTimeout(abort);
      await app.get(OpsServer).close();
      await app.close();
    },
  };
}

runProcess(start);
