export { ProtectionModule } from './protection.module';
export { ProtectionChecks } from './stop/protection.checks.service';
export { BounceFigures } from './tally/bounce.figures.service';
export { windowStart } from './tally/bounce.tally';
