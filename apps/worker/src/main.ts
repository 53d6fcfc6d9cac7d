import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { EventRelayService } from '@domain/events';
import { MailboxWatcherService } from '@domain/mailboxes';
import { Config, loadAllAssets, loadConfig } from '@platform/config';
import { type RunningProcess, runProcess } from '@platform/lifecycle';
import { HealthService, LogService, NestLogAdapter, OpsServerService } from '@platform/observability';
import { JobDecoratorService, JobWorkerService, MaintenanceGateService } from './jobs';
import { startWorker } from './start-worker';
import { WorkerModule } from './worker.module';

async function start(): Promise<RunningProcess> {
  const app = await NestFactory.createApplicationContext(WorkerModule.forQueues(loadConfig().workerQueues), {
    bufferLogs: true,
    abortOnError: false,
  });
  app.useLogger(app.get(NestLogAdapter));
  const config = app.get(Config);
  loadAllAssets(config.assetsDir);
  const log = app.get(LogService);
  await startWorker(app);
  const port = await app.get(OpsServerService).listen(config.workerPort, config.opsHost);
  log.info('Worker is ready', { port });
  const stopWithinMs = config.shutdownTimeoutSeconds * 1000;
  return {
    log,
    stopWithinMs,
    ended: app.get(MaintenanceGateService).onMaintenance,
    stop: async () => {
      app.get(HealthService).stopping();
      // The last fifth of the time is for jobs that stop at a safe point after their signal.
      const abort = setTimeout(() => app.get(JobDecoratorService).abort(), stopWithinMs * 0.8);
      await Promise.all([
        app.get(JobWorkerService).drain(),
        app.get(MailboxWatcherService, { strict: false }).stop(),
        app.get(EventRelayService, { strict: false }).stop(),
      ]);
      clearTimeout(abort);
      await app.get(OpsServerService).close();
      await app.close();
    },
  };
}

runProcess(start);
