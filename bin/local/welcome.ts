import { randomBytes } from 'node:crypto';
import { systemClock } from '../../functions/domain/time.ts';
import { uuidv7 } from '../../functions/domain/uuid.ts';
import type { LocalService } from './start.ts';

/** What the start-up prints: where the service is, and one line to copy for each operation. */
export function welcome({ baseUrl, demo }: LocalService): string {
  const lines = [`API reference: ${baseUrl}/docs`, ''];
  if (demo) {
    // A new visitor at every start: the printed conversion is new each time.
    const clickId = uuidv7(systemClock(), randomBytes);
    const body = {
      email: `visitor-${clickId.slice(-12)}@example.com`,
      gr_id: `${demo.advocateSlug}.${clickId}`,
    };
    lines.push(
      `Program token:   ${demo.programToken}`,
      `Affiliate token: ${demo.affiliateToken}  (advocate ${demo.advocateSlug})`,
      '',
      'Track a conversion, list the advocates, list the referrals of one:',
      '',
      `curl -i -w '\\n' -X POST ${baseUrl}/v1/tracking/conversion -H 'Authorization: Bearer ${demo.programToken}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
      '',
      `curl -i -w '\\n' '${baseUrl}/v1/advocates?per_page=5' -H 'Authorization: Bearer ${demo.programToken}'`,
      '',
      `curl -i -w '\\n' '${baseUrl}/v1/affiliate/referrals?per_page=5' -H 'Authorization: Bearer ${demo.affiliateToken}'`,
      '',
    );
  } else {
    lines.push('No demo program.', '');
  }
  lines.push('Programs, advocates and tokens of your own: npm run --silent admin -- --help', '');
  return [...lines, `Ready on ${baseUrl}`].join('\n');
}
