import { Controller, Get, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthService } from '@platform/observability';
import { type Response } from 'express';
import { Public } from '../http';

/** For load balancers and people: outside /v1, without a key, without the envelope. */
@Controller({ path: 'health', version: VERSION_NEUTRAL })
@ApiExcludeController()
@Public({ rateLimited: false })
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  live(@Res() response: Response): void {
    response.json({ status: 'live' });
  }

  @Get('ready')
  async ready(@Res() response: Response): Promise<void> {
    const report = await this.health.report();
    response.status(report.status === 'unavailable' ? 503 : 200).json(report);
  }
}
