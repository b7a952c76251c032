<?php
namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Cookie;

class RenewGrId
{
    const PATTERN = '/^[a-z\d_-]{1,64}\.([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\z/';
    const LIFETIME = 60 * 86400;

    public function handle(Request $request, Closure $next)
    {
        $response = $next($request);
        $grId = $request->cookie('gr_id');
        $isPage = str_contains($request->header('Accept', ''), 'text/html') && $request->header('Sec-GPC') !== '1';
        if (!$isPage || !is_string($grId) || !preg_match(self::PATTERN, $grId, $id)) return $response;
        $end = intdiv(hexdec($id[1] . $id[2]), 1000) + self::LIFETIME;
        $cookie = new Cookie('gr_id', $grId, $end, '/', 'shop.example', secure: true, httpOnly: false, sameSite: 'lax');
        if ($end > time() && $end <= time() + self::LIFETIME) $response->headers->setCookie($cookie);
        return $response;
    }
}
