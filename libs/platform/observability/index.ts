export { type ContextFields, contextFields, runInContext, setContext } from './context';
export { HealthChecks, type HealthCheck, type HealthReport } from './health.service';
export { Log, rootLogger } from './log';
export { NestLog } from './nest.log';
export { Metrics } from './metrics.service';
export { ObservabilityModule } from './observability.module';
export { type OpsHandler, OpsServer } from './ops.server';
export { redact } from './redact';
