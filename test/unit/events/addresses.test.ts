import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import {
  addressIn,
  allowedAddresses,
  checkAddresses,
  dnsResolver,
  isLoopbackAddress,
  isPublicAddress,
} from '../../../functions/events/addresses.ts';
import { type NameServer, startNameServer } from './name-server.ts';
import { SPECIAL_RANGES } from './special-ranges.ts';

/** The first, the last and a middle address of a range. */
function samplesOf(range: string): string[] {
  const [network, bits] = ipaddr.parseCIDR(range);
  const bytes = network.toByteArray();
  const filled = (fill: number) =>
    bytes.map((byte, index) => {
      const fixed = Math.min(8, Math.max(0, bits - index * 8));
      return byte | (fill & (0xff >> fixed));
    });
  return [0, 0x55, 0xff].map((fill) => ipaddr.fromByteArray(filled(fill)).toString());
}

/** Writes an IPv4 address into IPv6 addresses as translation and tunnels do. */
function embeddingsOf(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const [high, low] = [(a << 8) | b, (c << 8) | d].map((part) => part.toString(16));
  const [inverted, invertedLow] = [((a << 8) | b) ^ 0xffff, ((c << 8) | d) ^ 0xffff].map((part) => part.toString(16));
  return [
    `::ffff:${address}`,
    `::ffff:0:${address}`,
    `::${address}`,
    `64:ff9b::${address}`,
    `64:ff9b:1::${address}`,
    `64:ff9b:1:${high}:0:${low}::`,
    `2002:${high}:${low}::1`,
    `2001:0:4136:e378:8000:63bf:${inverted}:${invertedLow}`,
  ];
}

describe('refused addresses', () => {
  test.each(SPECIAL_RANGES)('an address in %s is refused', (range) => {
    for (const address of samplesOf(range)) expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });

  test('an address in a special range that IPv6 embeds, and in a public one, is refused', () => {
    const v4 = SPECIAL_RANGES.filter((range) => range.includes('.')).flatMap(samplesOf);
    for (const embedded of [...v4, '93.184.216.34', '8.8.8.8'].flatMap(embeddingsOf)) {
      expect([embedded, isPublicAddress(embedded)]).toEqual([embedded, false]);
    }
  });

  test.each(['', 'example.com', '1', '1.2.3', '::g', '256.1.1.1', 'fe80::1%eth0', '::1%lo', '2606:4700::1111%eth0 '])(
    'the address %j is refused',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  test('an address outside of the global unicast addresses of IPv6 is refused', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        if (!isPublicAddress(address)) return;
        expect((ipaddr.IPv6.parse(address).toByteArray()[0] ?? 0) >> 5).toBe(1);
      }),
      { numRuns: 1000 },
    );
  });
});

test.each([
  '93.184.216.34',
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.0',
  '100.63.255.255',
  '198.20.0.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
])('the address %s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test('this machine is recognized in all forms of its addresses', () => {
  for (const address of ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1']) {
    expect([address, isLoopbackAddress(address)]).toEqual([address, true]);
  }
  for (const address of ['128.0.0.1', '0.0.0.0', '::', '::2', '10.0.0.1', 'localhost', '93.184.216.34']) {
    expect([address, isLoopbackAddress(address)]).toEqual([address, false]);
  }
});

describe('connections', () => {
  const isAllowed = (url: string, allowLoopback: boolean, address: string) =>
    allowedAddresses(new URL(url), allowLoopback)(address);

  test.each([
    ['https://a.example', false, '93.184.216.34', true],
    ['https://a.example', false, '127.0.0.1', false],
    ['https://a.example', true, '127.0.0.1', false],
    ['http://localhost', true, '127.0.0.1', true],
    ['http://localhost', true, '::1', true],
    ['http://localhost', true, '93.184.216.34', false],
    ['http://localhost', true, '10.0.0.1', false],
    ['http://localhost', false, '127.0.0.1', false],
    ['http://a.example', false, '93.184.216.34', false],
    ['ftp://localhost', true, '127.0.0.1', false],
  ])('a connection of %s (local service: %s) to %s is allowed: %s', (url, allowLoopback, address, expected) => {
    expect(isAllowed(url, allowLoopback, address)).toBe(expected);
  });
});

test.each([
  ['https://93.184.216.34/', '93.184.216.34'],
  ['https://0x7f.1/', '127.0.0.1'],
  ['https://2130706433/', '127.0.0.1'],
  ['https://017700000001/', '127.0.0.1'],
  ['https://[::1]:8443/', '::1'],
  ['https://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
  ['https://example.com/', undefined],
  ['https://127.0.0.1.example.com/', undefined],
])('the address in %s is %s', (url, address) => {
  expect(addressIn(new URL(url))).toBe(address);
});

describe('the addresses of a new webhook', () => {
  const check = (url: string, addresses: readonly string[], allowLoopback = false) =>
    checkAddresses(new URL(url), allowLoopback, async () => addresses);

  test('the addresses of a new webhook must all be public', async () => {
    expect(await check('https://a.example', ['93.184.216.34', '2606:4700::1111'])).toBeUndefined();
    expect(await check('https://a.example', ['93.184.216.34', '10.0.0.1'])).toBe('address_refused');
    expect(await check('https://a.example', ['fd00::1'])).toBe('address_refused');
  });

  test('the addresses in a URL need no lookup', async () => {
    expect(await check('https://93.184.216.34', ['10.0.0.1'])).toBeUndefined();
    expect(await check('https://[::1]', ['93.184.216.34'])).toBe('address_refused');
    expect(await check('https://0x7f.1', ['93.184.216.34'], true)).toBe('address_refused');
    expect(await check('http://127.0.0.1', [], true)).toBeUndefined();
  });

  test('the name of a new webhook must exist', async () => {
    expect(await check('https://a.example', [])).toBe('name_not_found');
    const fails = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await checkAddresses(new URL('https://a.example'), false, fails)).toBe('name_not_found');
    // RFC 6761 section 6.4: no resolver finds names under "invalid".
    expect(await checkAddresses(new URL('https://a.invalid'), false)).toBe('name_not_found');
  });

  test('the addresses of localhost are this machine', async () => {
    expect(await checkAddresses(new URL('http://localhost:3000'), true)).toBeUndefined();
    expect(await checkAddresses(new URL('https://localhost:3000'), true)).toBe('address_refused');
  });
});

describe('a name', () => {
  let server: NameServer;
  let resolve: ReturnType<typeof dnsResolver>;
  beforeAll(async () => {
    server = await startNameServer({
      'both.example': ['93.184.216.34', '93.184.216.35', '2606:4700::1111'],
      'four.example': ['93.184.216.34'],
      'six.example': ['2606:4700::1111'],
      'none.example': [],
    });
    resolve = dnsResolver([server.address]);
  });
  afterAll(() => server.close());

  test('a name has all of its addresses of both families', async () => {
    expect(await resolve('both.example')).toEqual(['93.184.216.34', '93.184.216.35', '2606:4700::1111']);
    expect(await resolve('four.example')).toEqual(['93.184.216.34']);
    expect(await resolve('six.example')).toEqual(['2606:4700::1111']);
    expect(await resolve('none.example')).toEqual([]);
  });

  test('a name that is never resolved blocks no other', async () => {
    const pending = new Set(Array.from({ length: 16 }, (_, index) => `hangs-${index}.example`));
    const lookups = [...pending].map((name) => resolve(name).finally(() => pending.delete(name)));
    expect(await resolve('four.example')).toEqual(['93.184.216.34']);
    expect(pending.size).toBe(16);
    // RFC 1035 section 4.2.1: the resolver tries again before it gives up, within the 15 seconds of a delivery.
    expect(await Promise.all(lookups)).toEqual(lookups.map(() => []));
  });

  test('localhost is this machine, and no server is asked', async () => {
    expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(server.asked).not.toContain('localhost');
  });
});
