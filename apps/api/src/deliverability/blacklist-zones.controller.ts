import { BlacklistZoneResponse, BlacklistZonesService } from '@domain/deliverability';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Returns, Summary } from '../http';

@Controller('blacklist-zones')
@ApiTags('Blacklist tests')
export class BlacklistZonesController {
  constructor(private readonly zones: BlacklistZonesService) {}

  @Get()
  @Summary('Lists the blacklists that tests query, with their last self-test.')
  @Access('read')
  @Returns(200, BlacklistZoneResponse, 'array')
  list(): Promise<BlacklistZoneResponse[]> {
    return this.zones.list();
  }
}
