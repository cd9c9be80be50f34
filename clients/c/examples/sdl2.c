/* SPDX-License-Identifier: MIT */
/*
 * Moves and scales a square with two fingers in a loop that draws 60 frames a second. gestured_dispatch() never waits, so that it
 * can be called for each frame. Build: cc sdl2.c $(pkg-config --cflags --libs gestured sdl2)
 */
#include <SDL.h>
#include <gestured.h>
#include <stdio.h>

struct square {
    double x, y, scale;
};

/* The values of a drag and a pinch are those since their begin. */
static void take(struct square *square, struct square *begin, const struct gestured_gesture *gesture) {
    if (gesture->phase == GESTURED_PHASE_BEGIN) *begin = *square;
    if (gesture->dx == gesture->dx) {
        square->x = begin->x + gesture->dx;
        square->y = begin->y + gesture->dy;
    }
    if (gesture->scale == gesture->scale) square->scale = begin->scale * gesture->scale;
}

int main(int count, char **words) {
    struct gestured *client = gestured_new(NULL);
    struct gestured_options options = {0};
    struct square square = {400, 300, 1}, begin = {400, 300, 1};
    SDL_Window *window;
    SDL_Renderer *renderer;
    int running = 1;
    (void)count;
    (void)words;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return 1;
    window = SDL_CreateWindow("gestured", 0, 0, 800, 600, 0);
    renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);
    options.gestures = "drag pinch";
    options.phases = "begin update end cancel";
    gestured_subscribe(client, &options);
    while (running) {
        const struct gestured_event *event;
        SDL_Event other;
        SDL_FRect rectangle;
        gestured_dispatch(client);
        while ((event = gestured_next_event(client))) {
            const struct gestured_gesture *gesture = gestured_event_get_gesture(event);
            if (!gesture) continue;
            take(&square, &begin, gesture);
            if (gesture->phase == GESTURED_PHASE_END) printf("%.0f %.0f %.2f\n", square.x, square.y, square.scale);
            fflush(stdout);
        }
        while (SDL_PollEvent(&other)) running = running && other.type != SDL_QUIT;
        rectangle.w = rectangle.h = (float)(100 * square.scale);
        rectangle.x = (float)square.x - rectangle.w / 2;
        rectangle.y = (float)square.y - rectangle.h / 2;
        SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255);
        SDL_RenderClear(renderer);
        SDL_SetRenderDrawColor(renderer, 255, 255, 255, 255);
        SDL_RenderFillRectF(renderer, &rectangle);
        SDL_RenderPresent(renderer);
        SDL_Delay(16);
    }
    gestured_free(client);
    SDL_Quit();
    return 0;
}
