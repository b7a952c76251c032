import re, time

GR_ID = re.compile(r"[a-z0-9_-]{1,64}\.([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
LIFETIME = 60 * 86400

def renew_gr_id(get_response):
    def middleware(request):
        response = get_response(request)
        gr_id = GR_ID.fullmatch(request.COOKIES.get("gr_id", ""))
        seconds = int(int(gr_id[1] + gr_id[2], 16) / 1000 + LIFETIME - time.time()) if gr_id else 0
        is_page = "text/html" in request.headers.get("Accept", "") and request.headers.get("Sec-GPC") != "1"
        if is_page and 0 < seconds <= LIFETIME:
            response.set_cookie("gr_id", gr_id[0], seconds, domain="shop.example", secure=True, samesite="Lax")
        return response
    return middleware
